import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { describedAs, text } from '#foundation/api/operation/input'

export const protocolValidator = vine.create({
  tools: text(200)
    .use(
      describedAs(
        'Comma-separated sets of tools to list: `default`, `plan`, `changes`, `builds`, `admin`, or `all`; `default` if absent.'
      )
    )
    .optional(),
})
export type ProtocolInput = Infer<typeof protocolValidator>
