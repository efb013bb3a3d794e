import assert from 'node:assert/strict'
import type { OnCallScenario } from '../../fake/scenario.js'
import { textIn, type Data, type KindSuite } from './suite.js'

const scheduleIn = (data: Data) => textIn(data, 'scheduleId', 'S1')

/** Nobody is on call from 10:00 to 12:00, and two people are from 13:00 to 14:00. */
function scenarioOf(data: Data, schedules = 1): { onCall: OnCallScenario } {
  const scheduleId = scheduleIn(data)
  const shift = (name: string, from: string, until: string) => ({
    scheduleId,
    name,
    email: `${name.toLowerCase()}@example.com`,
    from: `2026-11-20T${from}:00.000Z`,
    until: `2026-11-20T${until}:00.000Z`,
  })
  return {
    onCall: {
      schedules: Array.from({ length: schedules }, (_, index) => ({
        id: index === 0 ? scheduleId : `S${1000 + index}`,
        name: `Releases ${index}`,
      })),
      shifts: [
        shift('Ada', '08:00', '10:00'),
        shift('Grace', '12:00', '14:00'),
        shift('Linus', '13:00', '15:00'),
      ],
    },
  }
}

const namesOf = (people: { name: string }[]) => people.map(({ name }) => name).sort()

/** Schedules, and who is on duty at an instant. */
export const onCall: KindSuite<'onCall'> = {
  kind: 'onCall',
  scenario: scenarioOf,
  read: (capability) => capability.listSchedules(''),
  list: {
    scenario: (count, data) => scenarioOf(data, count),
    page: (capability, cursor) => capability.listSchedules('', cursor),
    idOf: (item) => (item as { id: string }).id,
  },
  tour: (capability, _mutation, data) => [
    () => capability.listSchedules('Rel'),
    () => capability.whoIsOnCall(scheduleIn(data), '2026-11-20T09:00:00.000Z'),
  ],
  rules: [
    {
      id: 'C1',
      title: 'whoever has the shift is on call, from its first instant until its last',
      async run({ options }, capability) {
        const schedule = scheduleIn(options.data.onCall ?? {})
        const at = async (time: string) =>
          namesOf(await capability.whoIsOnCall(schedule, `2026-11-20T${time}Z`))
        assert.deepEqual(await at('08:00:00.000'), ['Ada'])
        assert.deepEqual(await at('09:59:59.000'), ['Ada'])
      },
    },
    {
      id: 'C2',
      title: 'in a gap nobody is on call',
      async run({ options }, capability) {
        const schedule = scheduleIn(options.data.onCall ?? {})
        assert.deepEqual(await capability.whoIsOnCall(schedule, '2026-11-20T11:00:00.000Z'), [])
        assert.deepEqual(await capability.whoIsOnCall(schedule, '2026-11-20T10:00:00.000Z'), [])
      },
    },
    {
      id: 'C3',
      title: 'where shifts overlap both are on call',
      async run({ options }, capability) {
        const schedule = scheduleIn(options.data.onCall ?? {})
        const both = await capability.whoIsOnCall(schedule, '2026-11-20T13:30:00.000Z')
        assert.deepEqual(namesOf(both), ['Grace', 'Linus'])
      },
    },
    {
      id: 'C4',
      title: 'an instant is the same one in every time zone',
      async run({ options }, capability) {
        const schedule = scheduleIn(options.data.onCall ?? {})
        const there = await capability.whoIsOnCall(schedule, '2026-11-20T02:30:00.000-06:00')
        assert.deepEqual(namesOf(there), ['Ada'])
      },
    },
    {
      id: 'C5',
      title: 'the person on call is reported with the given address and time',
      async run({ options }, capability) {
        const schedule = scheduleIn(options.data.onCall ?? {})
        const [ada] = await capability.whoIsOnCall(schedule, '2026-11-20T09:00:00.000Z')
        assert.equal(ada?.email, 'ada@example.com')
        assert.equal(Date.parse(ada.from), Date.parse('2026-11-20T08:00:00.000Z'))
        assert.equal(Date.parse(ada.until ?? ''), Date.parse('2026-11-20T10:00:00.000Z'))
      },
    },
  ],
}
