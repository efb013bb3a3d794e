import { test } from '@japa/runner'
import { instantIn } from '../fields.js'

test.group('A typed date and time', () => {
  test('is the first of the two instants that the time may mean', ({ assert }) => {
    const of = (at: string, zone = 'Europe/Berlin') => instantIn({ at }, 'at', zone)
    assert.equal(of('2027-10-31T02:30'), '2027-10-31T00:30:00.000Z')
    assert.equal(of('2027-03-28T02:30'), '2027-03-28T01:30:00.000Z')
    assert.equal(of('2027-07-01T09:00:05'), '2027-07-01T07:00:05.000Z')
  })

  test('is sent as typed if it cannot be read', ({ assert }) => {
    for (const at of ['2027-02-31T10:00', '2027-02-01T25:00', 'soon']) {
      assert.equal(instantIn({ at }, 'at', 'Europe/Berlin'), at)
    }
    assert.isNull(instantIn({ at: ' ' }, 'at', 'UTC'))
  })
})
