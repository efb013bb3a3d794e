import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import type { InputValidator } from '#foundation/api/operation/declaration'
import { checkedByHand, dateTime, oneOf, describedAs, text } from '#foundation/api/operation/input'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { jsonPointer } from '#foundation/core/json_pointer'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { lengthOf } from '#foundation/core/text'
import { parseVersion } from '#workflow/version'

/** Most events of one request. */
export const MAX_EVENTS = 500

/** Larger values would make sums lose their last digits. */
const MAX_VALUE = 1e15
const MAX_PROPERTIES = 50
const MAX_PROPERTY_NAME = 100
const MAX_PROPERTY_TEXT = 1000

/** Tolerance for clocks that are ahead and for late events, in milliseconds. */
const AHEAD = HOUR
const LATE = 30 * 24 * HOUR

const event = vine.create({
  name: text(200).use(describedAs('Name of the measured quantity.')),
  value: vine
    .number({ strict: true })
    .min(-MAX_VALUE)
    .max(MAX_VALUE)
    .use(describedAs('The measured number.')),
  unit: text(40)
    .use(describedAs('Unit of the value; the same for all events of a name.'))
    .optional(),
  version: text(32).use(describedAs('Version of the app it was measured in.')),
  buildNumber: text(64).use(describedAs('Build number of that version.')).optional(),
  environment: oneOf(['production', 'beta'])
    .use(describedAs('Environment of the app; `production` by default.'))
    .optional(),
  timestamp: dateTime()
    .use(describedAs('When it was measured, at most 30 days ago; now by default.'))
    .optional(),
  properties: checkedByHand({
    type: 'object',
    maxProperties: MAX_PROPERTIES,
    additionalProperties: {
      anyOf: [
        { type: 'string', maxLength: MAX_PROPERTY_TEXT },
        { type: 'number', minimum: -MAX_VALUE, maximum: MAX_VALUE },
        { type: 'boolean' },
      ],
    },
  })
    .use(
      describedAs(
        'Further properties. Numbers that the integration selects by `paramName` are stored too.'
      )
    )
    .optional(),
})
export type CustomEvent = Infer<typeof event>

/** Validates a `CustomEventEntity`, or a list of them. */
export const customEventValidator: InputValidator<CustomEvent> = {
  validate: (data, options) => event.validate(data, options),
  toJSONSchema: () => event.toJSONSchema(),
  maxList: MAX_EVENTS,
}

/** Checks the rules that the schema of an event does not express. */
export async function checkEvent(
  { version, timestamp, properties }: PartiallyValid<CustomEvent>,
  now: Instant,
  errors: InputErrors
): Promise<void> {
  if (version !== undefined && !parseVersion(version)) {
    const message = 'A version has 1 to 3 numeric parts.'
    errors.add({ pointer: '/version', code: 'version', message })
  }
  if (timestamp !== undefined && timestamp > later(now, AHEAD)) {
    const message = 'An event cannot be measured in the future.'
    errors.add({ pointer: '/timestamp', code: 'in_the_future', message })
  }
  if (timestamp !== undefined && timestamp < earlier(now, LATE)) {
    const message = 'An event is taken for 30 days after it was measured.'
    errors.add({ pointer: '/timestamp', code: 'too_late', message })
  }
  if (properties !== undefined) checkProperties(properties, errors)
}

function checkProperties(properties: unknown, errors: InputErrors): void {
  const pointer = '/properties'
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    errors.add({ pointer, code: 'object', message: 'The properties must be a JSON object.' })
    return
  }
  const entries = Object.entries(properties)
  if (entries.length > MAX_PROPERTIES) {
    const message = `An event has at most ${MAX_PROPERTIES} properties.`
    errors.add({ pointer, code: 'too_many', message })
  }
  for (const [name, value] of entries.slice(0, MAX_PROPERTIES)) {
    const at = pointer + jsonPointer(name)
    if (lengthOf(name) > MAX_PROPERTY_NAME) {
      const message = `The name of a property has at most ${MAX_PROPERTY_NAME} characters.`
      errors.add({ pointer: at, code: 'max_length', message })
    }
    const isText = typeof value === 'string' && lengthOf(value) <= MAX_PROPERTY_TEXT
    if (isText || isMeasured(value) || typeof value === 'boolean') continue
    const message = `A property is a number of at most ${MAX_VALUE}, true, false, or text of at most ${MAX_PROPERTY_TEXT} characters.`
    errors.add({ pointer: at, code: 'property', message })
  }
}

/** Returns whether a property is a number that a series can hold. */
export const isMeasured = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= MAX_VALUE
