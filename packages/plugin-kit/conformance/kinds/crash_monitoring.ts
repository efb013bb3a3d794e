import assert from 'node:assert/strict'
import type { CrashMonitoringScenario } from '../../fake/scenario.js'
import type { Unreported } from '../options.js'
import type { KindSuite } from './suite.js'

const FROM = '2026-11-19T12:00:00.000Z'
const TO = '2026-11-20T12:00:00.000Z'
const VERSION = '1.2.3'
const WINDOW = { version: VERSION, from: FROM, to: TO }

type Issue = CrashMonitoringScenario['issues'][number]

function scenarioOf(more: Issue[] = []): { crashMonitoring: CrashMonitoringScenario } {
  const issue = (id: string, change: Partial<Issue>): Issue => ({
    id,
    title: `Crash ${id}`,
    version: VERSION,
    users: 1,
    events: 1,
    at: '2026-11-19T18:00:00.000Z',
    isOpen: true,
    ...change,
  })
  return {
    crashMonitoring: {
      versions: [
        { version: VERSION, sessions: 10_000, crashedSessions: 123 },
        { version: `${VERSION}0`, sessions: 500, crashedSessions: 500 },
      ],
      issues: [
        issue('1', { users: 90, events: 100 }),
        issue('2', { at: '2026-11-20T06:00:00.000Z', users: 20, events: 23, isOpen: false }),
        issue('3', { version: `${VERSION}0`, events: 500 }),
        issue('4', { at: '2026-11-18T06:00:00.000Z' }),
        ...more,
      ],
    },
  }
}

/** Returns the suite of crash monitoring: the health of a version, and its issues. */
export function crashMonitoringIn(
  unreported: readonly Unreported[] = []
): KindSuite<'crashMonitoring'> {
  const hasStates = !unreported.includes('issueStates')
  return {
    kind: 'crashMonitoring',
    scenario: () => scenarioOf(),
    read: (capability) => capability.health(WINDOW),
    list: {
      scenario: (count) => ({
        crashMonitoring: {
          versions: [],
          issues: Array.from({ length: count }, (_, index) => ({
            id: `${1000 + index}`,
            title: `Crash ${index}`,
            version: VERSION,
            users: 1,
            events: 1 + index,
            at: '2026-11-19T18:00:00.000Z',
            isOpen: true,
          })),
        },
      }),
      page: (capability, cursor) => capability.listIssues(WINDOW, 'frequent', cursor),
      idOf: (item) => (item as { id: string }).id,
    },
    tour: (capability) => [
      () => capability.health(WINDOW),
      () => capability.listIssues(WINDOW, 'new'),
    ],
    rules: [
      {
        id: 'C1',
        title:
          'sessions without a crash, or users, are a share from 0 to 1, of exactly the version',
        async run(_bench, capability) {
          const { sessions, crashFreeSessions, users, crashFreeUsers } =
            await capability.health(WINDOW)
          const share = crashFreeSessions ?? crashFreeUsers
          assert.ok(share !== undefined, 'The share is missing')
          assert.ok(Math.abs(share - 0.9877) < 0.0001, `It is ${share}`)
          assert.ok(sessions === undefined || sessions === 10_000, `There are ${sessions} sessions`)
          const count = crashFreeSessions === undefined ? users : sessions
          assert.ok(count === undefined || count === 10_000, `There are ${count} users`)
        },
      },
      {
        id: 'C2',
        title: 'a version that nobody has used yet has no share, neither a good nor a bad one',
        async run(_bench, capability) {
          const { crashFreeSessions, crashFreeUsers } = await capability.health({
            ...WINDOW,
            version: '9.9.9',
          })
          assert.deepEqual([crashFreeSessions, crashFreeUsers], [undefined, undefined])
        },
      },
      {
        id: 'C3',
        title: 'issues are those of the version, in the time that is asked for',
        async run(_bench, capability) {
          const { items } = await capability.listIssues(WINDOW, 'frequent')
          assert.deepEqual(items.map(({ id }) => id).sort(), ['1', '2'])
        },
      },
      {
        id: 'C4',
        title: 'the newest come first, or the most frequent',
        async run(_bench, capability) {
          const first = async (order: 'new' | 'frequent') =>
            (await capability.listIssues(WINDOW, order)).items[0]?.id
          assert.deepEqual([await first('frequent'), await first('new')], ['1', '2'])
        },
      },
      {
        id: 'C5',
        title: 'an issue says how often it came, to how many, and whether it is open',
        async run(_bench, capability) {
          const { items } = await capability.listIssues(WINDOW, 'frequent')
          const reported = items
            .filter(({ id }) => id === '1' || id === '2')
            .map(({ title, users, events, open }) => [title, users, events, !hasStates || open])
          const expected = [
            ['Crash 1', 90, 100, true],
            ['Crash 2', 20, 23, !hasStates],
          ]
          assert.deepEqual(reported.sort(), expected)
        },
      },
    ],
  }
}

/** The suite for a provider that reports which issues are open. */
export const crashMonitoring = crashMonitoringIn()
