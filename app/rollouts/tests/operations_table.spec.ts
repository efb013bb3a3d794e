import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { SavedRows } from '#tests/support/saved_rows'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { ASK, OTHERS, planOf, type Answer } from './operations.js'
import { COLUMNS, REFUSALS, tableOf, type Column } from './operations_table.js'
import { storeIn, type Status, type StoreState } from './store_states.js'
import { isLong } from '#tests/support/effort'

/*
 * Checks the table of `operations_table.ts` cell by cell. Each state is made once, and changes by
 * an operation are undone. A refused operation writes nothing and sends nothing; it says why, and
 * names exactly the actions that are possible instead.
 */

type Words = Record<Column, string>

/** The outcome of an operation, and the problem of a refusal. */
interface Outcome {
  word: string
  problem: { code: string; detail: string; allowedActions?: string[] } | null
}

const wants = (what: string) => async (given: StoreWorld) => {
  const { wanted, question } = await planOf(given)
  if (wanted?.what !== what) return JSON.stringify(wanted)
  if (question && wanted.status === 'failed') return 'asks'
  return wanted.status === 'underWay' ? 'ok' : JSON.stringify(wanted)
}
const decides =
  (...actions: string[]) =>
  async (given: StoreWorld) => {
    const { rollout } = await planOf(given)
    const isDecided = rollout?.status !== 'failed' && actions.includes(rollout?.action)
    return isDecided ? 'ok' : JSON.stringify(rollout)
  }
const stops = decides('pause', 'halt')
const isNow =
  (...statuses: string[]) =>
  async (_: StoreWorld, { body }: Answer) => {
    if (!statuses.includes(body.status)) return body.status
    const isLeft = body.warnings?.some(({ code }: { code: string }) => code === 'left_in_store')
    return isLeft ? 'left' : 'ok'
  }

/** Return the outcome of an accepted operation: the word of the table, or a fault. */
const OUTCOMES: Record<Column, (given: StoreWorld, response: Answer) => Promise<string>> = {
  submit: wants('submitted'),
  takeoff: wants('released'),
  withdraw: wants('withdrawn'),
  pause: stops,
  resume: decides('resume'),
  complete: decides('complete'),
  more: decides('set'),
  less: decides('set'),
  async redButton(given, { body }) {
    const isOpen = body.status === 'active' || body.status === 'upcoming'
    if (isOpen && !body.automationsPaused) return 'automations go on'
    const stopped = await stops(given)
    return stopped !== 'ok' && isOpen ? 'held' : stopped
  },
  skip: isNow('skipped'),
  end: isNow('completed'),
  delete: async (given) => ((await given.release()).status === 404 ? 'ok' : 'it is there'),
  // A release that all users have completes at once.
  unskip: isNow('active', 'upcoming', 'completed'),
}

const LADDER = [
  { percentage: 30, hours: 24 },
  { percentage: 100, hours: 0 },
]

/** Events that only an observation of a store may cause. */
const ONLY_SEEN = /^(appStoreVersion\.|release\.(submitted|released)$)/

async function outcomeOf(
  given: StoreWorld,
  saved: SavedRows,
  { column, isForced = false, ask = ASK[column] }: Asked
): Promise<Outcome> {
  const response = await ask(given, isForced)
  const { status, body } = response
  const found = Object.entries(REFUSALS).find(([, { code }]) => code === body?.code)
  if (status >= 300) return { word: found?.[0] ?? response.text, problem: body }
  const word = await OUTCOMES[column](given, response)
  const reported = (await given.reported()).filter((type) => ONLY_SEEN.test(type))
  const changed = await saved.restore()
  if (reported.length > 0 && column !== 'end') return { word: `reports ${reported}`, problem: null }
  return { word: changed.length === 0 ? 'same' : word, problem: null }
}

/** Names of possible actions of stores, rollouts and releases, and their columns. */
const OF_STORES = { submit: 'submit', takeOff: 'takeoff', developerReject: 'withdraw' } as const
const OF_ROLLOUTS = { pause: 'pause', resume: 'resume', complete: 'complete', set: 'more' } as const
const OF_RELEASES = { skip: 'skip', complete: 'end', delete: 'delete', unskip: 'unskip' } as const

/** Returns the errors of a refusal's text. */
function faultOf(all: ReadonlyMap<string, Outcome>, requested: string): string[] {
  const { word, problem } = all.get(requested)!
  if (!problem) return []
  const refusal = REFUSALS[word]
  const errors = refusal?.says.test(problem.detail) ? [] : [`${requested} says: ${problem.detail}`]
  if (!problem.allowedActions) return errors
  const isDone = (column: string) => all.get(column)?.problem === null
  const isPossible = (column: string) => isDone(column) && all.get(column)!.word !== 'same'
  const own = requested.replace('!', '')
  const isOfRelease = [...Object.values<string>(OF_RELEASES), 'redButton'].includes(own)
  const names = problem.code.startsWith('rollout_')
    ? { ...OF_STORES, ...OF_ROLLOUTS }
    : { ...OF_RELEASES, ...(!isOfRelease && OF_STORES) }
  for (const [name, column] of Object.entries(names)) {
    const isNamed = problem.allowedActions.includes(name)
    const canForce = column === 'submit' || column === 'takeoff'
    const isAllowed = isPossible(column) || (canForce && own !== column && isPossible(`${column}!`))
    if (isNamed && !isAllowed && !isDone(column)) errors.push(`${requested} names ${name}, refused`)
    if (!isNamed && isAllowed) errors.push(`${requested} does not name ${name}`)
  }
  const isForceNamed = problem.allowedActions.includes('force')
  if (isForceNamed !== isDone(`${requested}!`)) errors.push(`${requested} and force`)
  return errors
}

/** A request in a state, with its own name, and the expected word. */
interface Asked {
  name: string
  column: Column
  word: string
  isForced?: boolean
  ask?: (typeof ASK)[Column]
}

function asksOf(row: Words, status: Status): Asked[] {
  const usual = COLUMNS.flatMap((column) => {
    const [word, forced] = row[column].split('/')
    const requested: Asked[] = [{ name: column, column, word }]
    if (forced) requested.push({ name: `${column}!`, column, word: forced, isForced: true })
    return requested
  })
  if (status !== 'active') return usual
  const others = OTHERS.map(([column, ask], index) => {
    const [word] = row[column].split('/')
    return { name: `${column}, in another way (${index})`, column, word, ask }
  })
  return [...usual, ...others]
}

/** Makes all requests of a state in the table, and compares the outcomes. */
async function compare(
  assert: Assert,
  given: StoreWorld,
  row: Words,
  what: { status: Status; state: StoreState }
) {
  const saved = await SavedRows.of(given.world.organizationId)
  const changes = [...given.store.changes]
  await given.reported()
  const asks = asksOf(row, what.status)
  const all = new Map<string, Outcome>()
  const isRefused = ({ word }: Asked) => word in REFUSALS
  for (const each of asks.filter(isRefused)) all.set(each.name, await outcomeOf(given, saved, each))
  assert.deepEqual(await saved.restore(), [], 'What is refused writes nothing')
  for (const each of asks)
    if (!isRefused(each)) all.set(each.name, await outcomeOf(given, saved, each))
  assert.deepEqual(
    asks.map(({ name }) => `${name}: ${all.get(name)!.word}`),
    asks.map(({ name, word }) => `${name}: ${word}`),
    JSON.stringify(what)
  )
  const errors = asks.filter(({ ask }) => !ask).flatMap(({ name }) => faultOf(all, name))
  assert.deepEqual(errors, [], JSON.stringify(what))
  assert.deepEqual(given.store.changes, changes, 'No answer waits for a call to a store')
  await requirePolicy(assert, given)
}

/** Checks that a policy can be set in every state, and changes no earlier decision. */
async function requirePolicy(assert: Assert, given: StoreWorld) {
  const at = `/app/${given.appId}/rolloutPolicy`
  const before = (await planOf(given)) ?? null
  const { status } = await given.admin.put(at, { policy: { ladder: LADDER } })
  assert.equal(status, 200)
  assert.containSubset((await given.admin.get(at)).body, { policy: { ladder: LADDER } })
  const after = (await planOf(given)) ?? null
  assert.deepEqual([after?.wanted, after?.rollout], [before?.wanted, before?.rollout])
}

test.group('Every operation on a rollout', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    const table = tableOf(type, isLong)
    for (const [status, rows] of Object.entries(table)) {
      for (const [state, row] of rows) {
        test(`${type}, ${status}: ${state}`, async ({ assert }) => {
          const given = await storeIn(state, type, status as Status)
          await compare(assert, given, row, { status: status as Status, state })
        })
      }
    }
  }
})
