import assert from 'node:assert/strict'
import type { Ticket } from '../../capabilities/work.js'
import type { IssueTrackingScenario } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'
import { failsWith } from '../expecting.js'
import type { TicketWords } from '../options.js'
import type { Data, KindSuite } from './suite.js'

const VERSION = '1.2.3'
/** Time of a release. */
const RELEASED = { at: '2026-11-20T12:00:00.000Z', day: '2026-11-20' }
const OTHER_PROJECT = 'ELSE'
/** Texts that break naive query building. Labels contain no spaces or commas in any tracker. */
const STRANGE = `"quoted" \\ 50% ' AND project = ${OTHER_PROJECT}`
const STRANGE_LABEL = `"quoted"\\50%'`

const projectIn = (data: Data): string => ((data.projects ?? []) as string[])[0] ?? 'APP'
const projectOf = ({ options }: Bench) => projectIn(options.data.issueTracking ?? {})

type ScenarioTicket = IssueTrackingScenario['tickets'][number]

function scenarioOf(words: TicketWords, data: Data, more: ScenarioTicket[] = []) {
  const project = projectIn(data)
  const ticket = (number: number, change: Partial<ScenarioTicket>): ScenarioTicket => ({
    key: words.keyOf(change.project ?? project, number),
    project,
    title: `Ticket ${number}`,
    status: words.todo,
    labels: [],
    versions: [],
    ...change,
  })
  const issueTracking: IssueTrackingScenario = {
    statuses: [
      ...[...new Set([words.todo, words.doing])].map((name) => ({ name, done: false })),
      { name: words.done, done: true },
    ],
    tickets: [
      ticket(1, { title: STRANGE, status: words.done, labels: ['crash'], versions: [VERSION] }),
      ticket(2, {
        status: words.doing,
        versions: [...(words.hasOneVersion ? [] : ['1.2.2']), VERSION],
        assignee: words.assignee,
      }),
      ticket(3, { labels: [STRANGE_LABEL], versions: [`${VERSION}0`] }),
      ticket(4, { project: OTHER_PROJECT, labels: [STRANGE_LABEL], versions: [VERSION] }),
      ...more,
    ],
    versions: [],
  }
  return { issueTracking }
}

const keysOf = (tickets: readonly Ticket[]) => tickets.map(({ key }) => key).sort()
const trackerOf = (bench: Bench) => bench.fake.state().issueTracking!

/** The vocabulary of a tracker whose tickets have keys like `APP-1` and any number of versions. */
const USUAL_WORDS: TicketWords = {
  keyOf: (project, number) => `${project}-${number}`,
  todo: 'To do',
  doing: 'In progress',
  done: 'Shipped',
  assignee: 'Ada Lovelace',
}

/** Returns the suite of issue tracking, in the vocabulary of a tracker. */
export function issueTrackingIn(tracker: Partial<TicketWords> = {}): KindSuite<'issueTracking'> {
  const words = { ...USUAL_WORDS, ...tracker }
  return {
    kind: 'issueTracking',
    scenario: (data) => scenarioOf(words, data),
    read: (capability, data) => capability.search({ projects: [projectIn(data)] }),
    absent: (capability, data) => capability.get(words.keyOf(projectIn(data), 404)),
    list: {
      scenario: (count, data) => {
        const project = projectIn(data)
        const tickets = Array.from({ length: count }, (_, index) => ({
          key: words.keyOf(project, index + 1),
          project,
          title: `Ticket ${index + 1}`,
          status: words.todo,
          labels: [],
          versions: [VERSION],
        }))
        return { issueTracking: { ...scenarioOf(words, data).issueTracking, tickets } }
      },
      page: (capability, cursor, data) =>
        capability.search({ projects: [projectIn(data)], version: VERSION }, cursor),
      idOf: (item) => (item as Ticket).key,
    },
    change: {
      feature: 'ensureVersion',
      run: (capability, mutation, data) =>
        capability.ensureVersion!(projectIn(data), '1.3.0', mutation),
      effects: (state) => state.issueTracking?.versions.length ?? 0,
    },
    tour: (capability, mutation, data) => {
      const project = projectIn(data)
      return [
        () => capability.search({ projects: [project], version: VERSION }),
        () => capability.search({ projects: [project], label: 'crash' }),
        () => capability.search({ projects: [project], keys: [words.keyOf(project, 1)] }),
        () => capability.get(words.keyOf(project, 1)),
        () => capability.listStatuses(project),
        () => capability.ensureVersion?.(project, '1.3.0', mutation()),
        () => capability.setVersion?.([words.keyOf(project, 3)], '1.3.0', mutation()),
        () => capability.addLabels?.([words.keyOf(project, 3)], ['1.3.0'], mutation()),
        () => capability.releaseVersion?.(project, '1.3.0', RELEASED, mutation()),
      ]
    },
    rules: [
      {
        id: 'C1',
        title: 'the tickets of a version are found, only in the requested projects',
        async run(bench, capability) {
          const project = projectOf(bench)
          const { items } = await capability.search({ projects: [project], version: VERSION })
          assert.deepEqual(keysOf(items), [words.keyOf(project, 1), words.keyOf(project, 2)])
        },
      },
      {
        id: 'C2',
        title: 'a ticket is read unchanged: title, labels, versions and the name of its status',
        async run(bench, capability) {
          const ticket = await capability.get(words.keyOf(projectOf(bench), 1))
          const { title, labels, versions, status } = ticket!
          const expected = {
            title: STRANGE,
            labels: ['crash'],
            versions: [VERSION],
            status: words.done,
          }
          assert.deepEqual({ title, labels, versions, status }, expected)
        },
      },
      {
        id: 'C3',
        title: 'done follows the provider’s categories, whatever the name of the status',
        async run(bench, capability) {
          const done = async (number: number) =>
            (await capability.get(words.keyOf(projectOf(bench), number)))?.done
          assert.deepEqual([await done(1), await done(2), await done(3)], [true, false, false])
        },
      },
      {
        id: 'C4',
        title: 'only the tickets of a label are found, whatever characters it contains',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = async (label: string) =>
            keysOf((await capability.search({ projects: [project], label })).items)
          assert.deepEqual(await keys(STRANGE_LABEL), [words.keyOf(project, 3)])
          assert.deepEqual(await keys('crash'), [words.keyOf(project, 1)])
          assert.deepEqual(await keys('cras'), [])
        },
      },
      {
        id: 'C5',
        title: 'tickets are found by their keys, and no others',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = [words.keyOf(project, 2), words.keyOf(project, 3)]
          const { items } = await capability.search({ projects: [project], keys })
          assert.deepEqual(keysOf(items), keys)
        },
      },
      {
        id: 'C6',
        title: 'an unknown key is left out, and the others are found',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = [words.keyOf(project, 2), words.keyOf(project, 404)]
          const { items } = await capability.search({ projects: [project], keys })
          assert.deepEqual(keysOf(items), [words.keyOf(project, 2)])
        },
      },
      {
        id: 'C7',
        title: 'a version that does not exist has no tickets',
        async run(bench, capability) {
          const filter = { projects: [projectOf(bench)], version: STRANGE }
          const { items, next } = await capability.search(filter)
          assert.deepEqual([items, next], [[], undefined])
        },
      },
      {
        id: 'C8',
        title: 'a version that does not exist, such as a renamed one, is not released',
        feature: 'releaseVersion',
        async run(bench, capability) {
          await failsWith(
            capability.releaseVersion!(projectOf(bench), '9.9.9', RELEASED, bench.mutation()),
            'notFound'
          )
          assert.deepEqual(trackerOf(bench).versions, [])
        },
      },
      {
        id: 'C9',
        title: 'the statuses of a project are reported, and which of them are done',
        async run(bench, capability) {
          const statuses = await capability.listStatuses(projectOf(bench))
          const done = new Map(statuses.map((status) => [status.name, status.done]))
          const expected = [false, false, true]
          assert.deepEqual(
            [words.todo, words.doing, words.done].map((name) => done.get(name)),
            expected
          )
        },
      },
      {
        id: 'C10',
        title: 'a version is created only once, however often it is requested',
        feature: 'ensureVersion',
        async run(bench, capability) {
          const project = projectOf(bench)
          const first = await capability.ensureVersion!(project, '1.3.0', bench.mutation())
          const again = await capability.ensureVersion!(project, '1.3.0', bench.mutation())
          assert.equal(again.id, first.id)
          assert.equal(trackerOf(bench).versions.length, 1)
        },
      },
      {
        id: 'C11',
        title: 'tickets get a version in addition to existing ones',
        feature: 'setVersion',
        async run(bench, capability) {
          const project = projectOf(bench)
          await capability.ensureVersion?.(project, '1.3.0', bench.mutation())
          await capability.setVersion!([words.keyOf(project, 2)], '1.3.0', bench.mutation())
          const { tickets } = trackerOf(bench)
          const versions =
            tickets.find(({ key }) => key === words.keyOf(project, 2))?.versions ?? []
          assert.deepEqual(
            [...versions].sort(),
            words.hasOneVersion ? ['1.3.0'] : ['1.2.2', VERSION, '1.3.0']
          )
          const other = tickets.find(({ key }) => key === words.keyOf(project, 3))
          assert.deepEqual(other?.versions, [`${VERSION}0`])
        },
      },
      {
        id: 'C12',
        title: 'a released version has the time of its release',
        feature: 'releaseVersion',
        async run(bench, capability) {
          const project = projectOf(bench)
          await capability.ensureVersion?.(project, '1.3.0', bench.mutation())
          await capability.releaseVersion!(project, '1.3.0', RELEASED, bench.mutation())
          const [version] = trackerOf(bench).versions
          assert.equal(version?.releasedAt?.slice(0, 10), RELEASED.day)
        },
      },
      {
        id: 'C13',
        title: 'tickets get labels in addition to existing ones, each once',
        feature: 'addLabels',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = [words.keyOf(project, 1), words.keyOf(project, 2)]
          for (const labels of [['release-1.3.0', 'crash'], ['release-1.3.0']]) {
            await capability.addLabels!(keys, labels, bench.mutation())
          }
          const { tickets } = trackerOf(bench)
          const labelsOf = (wanted: string) =>
            [...(tickets.find(({ key }) => key === wanted)?.labels ?? [])].sort()
          const expected = ['crash', 'release-1.3.0']
          assert.deepEqual(keys.map(labelsOf), [expected, expected])
          assert.deepEqual(labelsOf(words.keyOf(project, 3)), [STRANGE_LABEL])
        },
      },
      {
        id: 'C14',
        title: 'several tickets get a version at once, and no others',
        feature: 'setVersion',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = [1, 2, 3].map((number) => words.keyOf(project, number))
          await capability.ensureVersion?.(project, '1.3.0', bench.mutation())
          await capability.setVersion!(keys, '1.3.0', bench.mutation())
          for (const { key, versions } of trackerOf(bench).tickets) {
            assert.equal(versions.includes('1.3.0'), keys.includes(key), key)
          }
        },
      },
      {
        id: 'C15',
        title: 'the assignee of a ticket is reported, if it has one',
        async run(bench, capability) {
          const project = projectOf(bench)
          const keys = [1, 2].map((number) => words.keyOf(project, number))
          const { items } = await capability.search({ projects: [project], version: VERSION })
          for (const [index, key] of keys.entries()) {
            const expected = [undefined, words.assignee][index]
            assert.equal((await capability.get(key))?.assignee, expected, key)
            assert.equal(items.find((each) => each.key === key)?.assignee, expected, key)
          }
        },
      },
    ],
  }
}

export const issueTracking = issueTrackingIn()
