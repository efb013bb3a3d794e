import assert from 'node:assert/strict'
import type { BetaTestingScenario } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'
import { failsWith } from '../expecting.js'
import type { TesterWords, Unreported } from '../options.js'
import type { KindSuite } from './suite.js'

const VERSION = '1.2.3'

/** Names for a store that allows any name for groups and builds. */
const ANY: TesterWords = {
  house: { id: 'G1', name: 'Employees' },
  everybody: { id: 'G2', name: 'Everybody' },
  buildIdOf: (number) => number.slice(1),
}

const betaOf = ({ fake }: Pick<Bench, 'fake'>) => fake.state().betaTesting!
const NOTES = { locale: 'en-US', text: 'Try the checkout ✓' }

/** Returns the suite of beta testing, with the names that a store needs. */
export function betaTestingIn(
  words: Partial<TesterWords> = {},
  unreported: readonly Unreported[] = []
): KindSuite<'betaTesting'> {
  const { house, everybody, buildIdOf }: TesterWords = { ...ANY, ...words }
  const hasStates = !unreported.includes('buildStates')
  const build = (which: string, state: string, version = VERSION) => ({
    id: buildIdOf(`4${which}`),
    number: `4${which}`,
    version,
    uploadedAt: '2026-11-19T12:00:00.000Z',
    state,
  })
  const scenarioOf = (builds: BetaTestingScenario['builds']) => ({
    betaTesting: {
      groups: [
        { ...house, internal: true },
        { ...everybody, internal: false },
      ],
      builds,
      distributed: [],
      notes: [],
    } satisfies BetaTestingScenario,
  })
  const scenario = () =>
    scenarioOf([
      build('1', 'ready'),
      ...(hasStates ? [build('2', 'expired')] : []),
      build('3', 'ready', `${VERSION}0`),
    ])
  const first = buildIdOf('41')
  const [ours, all] = [house.id, everybody.id]
  return {
    kind: 'betaTesting',
    scenario,
    read: (capability) => capability.listGroups(),
    list: {
      scenario: (count) =>
        scenarioOf(Array.from({ length: count }, (_, index) => build(`${index + 1}`, 'ready'))),
      page: (capability, cursor) => capability.listBuilds({ version: VERSION }, cursor),
      idOf: (item) => (item as { id: string }).id,
    },
    change: {
      run: (capability, mutation) => capability.distribute(first, [ours], mutation),
      effects: (state) => state.betaTesting?.distributed.length ?? 0,
    },
    strange: hasStates
      ? {
          scenario: (state) => scenarioOf([build('1', state)]),
          observe: async (capability) => {
            const { items } = await capability.listBuilds({})
            assert.ok(items[0], 'The build is not there')
            return items[0].status
          },
        }
      : undefined,
    tour: (capability, mutation) => [
      () => capability.listGroups(),
      () => capability.listBuilds({ version: VERSION }),
      () => capability.setNotes(first, [NOTES], mutation()),
      () => capability.distribute(first, [ours], mutation()),
    ],
    rules: [
      {
        id: 'C1',
        title: 'groups say whether they are of the house, which need no review',
        async run(_bench, capability) {
          const { items } = await capability.listGroups()
          const groups = items.map(({ id, name, internal }) => [id, name, internal])
          const expected = [
            [house.id, house.name, true],
            [everybody.id, everybody.name, false],
          ]
          assert.deepEqual(groups.sort(), expected.sort())
        },
      },
      {
        id: 'C2',
        title: 'builds are those of the version alone, with what became of them',
        async run(_bench, capability) {
          const { items } = await capability.listBuilds({ version: VERSION })
          const states = items.map(({ id, number, status }) => [id, number, status.state])
          const expected = [
            [first, '41', 'ready'],
            ...(hasStates ? [[buildIdOf('42'), '42', 'expired']] : []),
          ]
          assert.deepEqual(states.sort(), expected)
        },
      },
      {
        id: 'C8',
        title: 'builds are found by all numbers, though the store leaves out a last zero',
        async run(bench, capability) {
          bench.seed(scenarioOf([build('1', 'ready', '1.3')]))
          const { items } = await capability.listBuilds({ version: '1.3.0' })
          assert.ok(items.some(({ number }) => number === '41'))
        },
      },
      {
        id: 'C3',
        title: 'a build that is given to groups is theirs, and no other is',
        async run(bench, capability) {
          const { state } = await capability.distribute(first, [ours, all], bench.mutation())
          assert.ok(['inReview', 'testing', 'processing'].includes(state), `It is ${state}`)
          const given = betaOf(bench).distributed.map(({ buildId, groupId }) => [buildId, groupId])
          const expected = [
            [first, ours],
            [first, all],
          ]
          assert.deepEqual(given.sort(), expected.sort())
        },
      },
      {
        id: 'C4',
        title: 'a build that is given to a group of the house can be tested at once',
        async run(bench, capability) {
          const { state } = await capability.distribute(first, [ours], bench.mutation())
          assert.equal(state, 'testing')
        },
      },
      {
        id: 'C5',
        title: 'giving a build to a group that has it is no error, and changes nothing',
        async run(bench, capability) {
          await capability.distribute(first, [ours], bench.mutation())
          await capability.distribute(first, [ours], bench.mutation())
          assert.equal(betaOf(bench).distributed.length, 1)
        },
      },
      {
        id: 'C6',
        title: 'a build or a group that does not exist is reported as such, and nothing is given',
        async run(bench, capability) {
          await failsWith(capability.distribute('404', [ours], bench.mutation()), 'notFound')
          await failsWith(capability.distribute(first, ['G404'], bench.mutation()), 'notFound')
          assert.deepEqual(betaOf(bench).distributed, [])
        },
      },
      {
        id: 'C7',
        title: 'notes are kept per locale: those that are given replace theirs alone',
        async run(bench, capability) {
          const german = { locale: 'de-DE', text: 'Neu' }
          await capability.setNotes(first, [{ ...NOTES, text: 'Old' }, german], bench.mutation())
          await capability.setNotes(first, [NOTES], bench.mutation())
          const notes = betaOf(bench).notes.map(({ locale, text }) => [locale, text])
          const expected = [
            ['de-DE', 'Neu'],
            ['en-US', NOTES.text],
          ]
          assert.deepEqual(notes.sort(), expected)
        },
      },
    ],
  }
}

/** The suite for a store that allows any name for groups and builds. */
export const betaTesting = betaTestingIn()
