import { test } from '@japa/runner'
import vine from '@vinejs/vine'
import {
  queryBoolean,
  dateTime,
  oneOf,
  repeatable,
  text,
  boolean,
  integer,
} from '../api/operation/input.js'
import { validateBody } from '../api/execution/validate.js'

const blocks = {
  text: () => text(9),
  boolean,
  queryBoolean,
  integer: () => integer(0, 9),
  oneOf: () => oneOf(['a', 'b']),
  dateTime,
  repeatable: () => repeatable(9),
}

test.group('Building blocks of inputs', () => {
  for (const [name, make] of Object.entries(blocks)) {
    test(`${name} refuses null unless it is nullable`, async ({ assert }) => {
      const strict = vine.create({ value: make() as never })
      await assert.rejects(() => validateBody(strict, { value: null }))
      await assert.rejects(() => validateBody(strict, {}))
      const lenient = vine.create({ value: (make() as ReturnType<typeof text>).nullable() })
      assert.deepEqual(await validateBody(lenient, { value: null }), { value: null })
    })
  }
})
