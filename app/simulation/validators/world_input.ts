import vine from '@vinejs/vine'
import type { FieldContext, Infer } from '@vinejs/vine/types'
import { describedAs, text, trimmedText } from '#foundation/api/operation/input'
import { SPAN } from '../duration.js'
import { CONSOLE_DEEDS, CONSOLE_NAMES } from '../world/consoles.js'

const spanRule = vine.createRule(
  (value: unknown, _options: undefined, field: FieldContext) => {
    if (SPAN.test(value as string)) return
    const message = 'The {{ field }} field must be 90m, 2h30m, 3d or 2026-11-20T12:00:00Z'
    field.report(message, 'span', field)
  },
  {
    name: 'span',
    toJSONSchema: (schema) => {
      schema.pattern = SPAN.source
    },
  }
)

export const advanceWorldValidator = vine.create({
  span: text(40)
    .use(spanRule())
    .use(describedAs('Duration, such as 90m, 2h30m or 3d, or end time in UTC; at most a year.')),
})
export type AdvanceWorldInput = Infer<typeof advanceWorldValidator>

export const resetWorldValidator = vine.create({
  seed: text(100)
    .use(describedAs('Seed of the world’s random values; by default that of the previous world.'))
    .optional(),
})
export type ResetWorldInput = Infer<typeof resetWorldValidator>

export const startWorldValidator = vine.create({
  alias: trimmedText(80)
    .use(
      describedAs(
        'Alias of its connections in configuration files; null or absent to use their ids.'
      )
    )
    .nullable()
    .optional(),
})
export type StartWorldInput = Infer<typeof startWorldValidator>

export const consoleActionValidator = vine.create({
  store: vine.enum(CONSOLE_NAMES).use(describedAs('Store of the console.')),
  deed: vine
    .enum([...new Set([...CONSOLE_DEEDS.apple, ...CONSOLE_DEEDS.google])])
    .use(describedAs('Action to take; each store has its own.')),
})
export type ConsoleActionInput = Infer<typeof consoleActionValidator>
