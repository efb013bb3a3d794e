import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { says, text } from '#foundation/api/operation/input'

export const protocolValidator = vine.create({
  tools: text(200)
    .use(
      says(
        'Sets of tools to list, with commas between them: `default`, `plan`, `changes`, `builds`, `admin`, or `all`; `default` alone unless given.'
      )
    )
    .optional(),
})
export type ProtocolInput = Infer<typeof protocolValidator>
