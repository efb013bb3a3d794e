import { refusal } from '#stores/tests/memory_store'
import { storeWorld, type StoreWorld } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'

/*
 * Release 1.4.0, under way, in every state that a store may have it in. Screenshots are left
 * to approve, so that the release does not complete by itself, and a submission has to be forced.
 */

const STEPS = ['kickoff', 'screenshots', 'submission', 'storeReview', 'takeoff', 'rollout'] as const

/** The actions on an app and its store, beginning with a version ready for submission. */
type Build = (given: StoreWorld) => unknown

/** The answer to the next call is lost: nobody knows whether it was applied, or comes still. */
const lost =
  (call: 'submit' | 'cancelReview' | 'release' | 'setRollout', path: string, body: object = {}) =>
  async ({ admin, store, path: release, work }: StoreWorld) => {
    store.breaks.add(`before ${call}`)
    const { status, text } = await admin.put(`${release}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await work()
    if (store.breaks.size > 0) throw new Error(`${call} was not called`)
  }

/** The store refuses what is asked, by its rules. */
const refused =
  (path: string, body: object = {}) =>
  async ({ admin, store, path: release, work }: StoreWorld) => {
    store.failures.push(refusal('invalid', 'The agreements are missing'))
    const { status, text } = await admin.put(`${release}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await work()
    if (store.failures.length > 0) throw new Error(`${path} was not called`)
  }

/** Something is decided, and the store changes before it is asked. */
const decided =
  (path: string, body: object, change: Build): Build =>
  async (given) => {
    const { status, text } = await given.admin.put(`${given.path}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await change(given)
  }

/** Requests that a rollout grows. */
const grown = ({ store }: StoreWorld) =>
  store.type === 'apple' ? { action: 'complete' } : { action: 'set', percentage: 50 }

const become =
  (...[state, change]: Parameters<StoreWorld['store']['become']>): Build =>
  ({ store }) =>
    void store.become(state, { buildNumbers: ['4711'], ...change })

/** At 5 % on the third day at Apple, at 10 % at Google. */
function rolling({ store }: StoreWorld, state: 'active' | 'stopped' = 'active') {
  const isApple = store.type === 'apple'
  const named = state === 'active' ? state : isApple ? 'paused' : 'halted'
  const shown = isApple ? 'live' : named === 'halted' ? 'halted' : 'rolledOutPartially'
  store.become(shown, { buildNumbers: ['4711'] })
  store.rollout({ state: named, ...(isApple ? { day: 3 } : { fraction: 0.1 }) })
}

/** The next version is with users: it took the place of this one. */
async function replaced(given: StoreWorld) {
  rolling(given)
  if (given.store.type === 'apple') return given.store.become('replaced')
  given.store.become('live', { version: '1.5.0', buildNumbers: ['4712'] })
  // Lists of Google Play are believed once they show it for longer than they lag.
  return given.work()
}

/**
 * All users have it.
 * @param before what they had before it; `first` where that is known to be nothing
 */
async function whole({ admin, appId, store, work }: StoreWorld, before: string) {
  const isFirst = before === 'first'
  if (before === '1.3.0') {
    await admin.post(`/app/${appId}/release`, { version: before })
    await admin.put(`/app/${appId}/release/${appId}:${before}/kickoff`)
    store.become('live', { version: before, buildNumbers: ['4700'] })
    await work()
  } else if (isFirst) {
    store.become('pendingRelease', { buildNumbers: ['4711'] })
    await work()
  }
  store.become('live', { buildNumbers: ['4711'] })
  store.rollout({ state: 'complete' })
}

/** Approved with another first share than its ladder has by now. */
async function laddered({ admin, appId, path, store, work }: StoreWorld) {
  const set = (percentage: number) =>
    admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: {
        ladder: [
          { percentage, hours: 24 },
          { percentage: 100, hours: 0 },
        ],
      },
    })
  await set(20)
  await admin.put(`${path}/submit`, { force: true })
  await work()
  store.become('pendingRelease')
  await work()
  await set(2)
}

const after =
  (one: Build, ...others: Build[]): Build =>
  async (given) => {
    await one(given)
    for (const other of others) {
      await given.work()
      await other(given)
    }
  }

const BUILDS = {
  nothing: () => {},
  prepared: become('preparing'),
  submitting: lost('submit', 'submit', { force: true }),
  waiting: become('waitingForReview'),
  inReview: become('inReview'),
  /** In review; the store releases it by itself after that. */
  automatic: become('inReview', { release: { method: 'auto' } }),
  rejected: become('rejected'),
  withdrawing: after(become('inReview'), lost('cancelReview', 'developerRejectSubmission')),
  approved: become('pendingRelease'),
  laddered,
  /** The call is lost; Google Play has none: a person is asked to publish. */
  takingOff: (given) =>
    after(
      become('pendingRelease'),
      given.store.type === 'apple' ? lost('release', 'takeoff') : decided('takeoff', {}, () => {})
    )(given),
  active: rolling,
  growing: after(rolling, (given) => lost('setRollout', 'rollout', grown(given))(given)),
  stopping: after(rolling, lost('setRollout', 'rollout', { action: 'pause' })),
  stopped: (given) => rolling(given, 'stopped'),
  /** All users have it. */
  whole: (given) => whole(given, '1.3.0'),
  /** The same, and nothing was there before. */
  first: (given) => whole(given, 'first'),
  /** The same, and nobody knows what was there before. */
  wholeSince: (given) => whole(given, 'unknown'),
  /** It was with all users, and is halted. */
  takenBack: after(
    (given) => whole(given, '1.3.0'),
    ({ admin, path }) => admin.put(`${path}/rollout`, { action: 'halt' })
  ),
  replaced,
  readyForReview: become('readyForReview'),
  /** It has no effect until a person sends it for review in the console. */
  unsent: become('readyForReview', { waitsForSending: true }),
  metadataRejected: become('metadataRejected'),
  invalidBinary: become('invalidBinary'),
  developerRejected: become('developerRejected'),
  /** Rejected with the rollout that it was to begin with. */
  phasedRejected: (given) => {
    become('rejected')(given)
    given.store.rollout({ state: 'inactive' })
  },
  /** Approved; the store releases it at a time. */
  scheduled: become('pendingRelease', {
    release: { method: 'scheduled', at: '2199-01-01T00:00:00.000Z' },
  }),
  processing: become('processing'),
  removed: (given) => {
    rolling(given)
    given.store.become('removed')
  },
  /** The store shows a state that nobody here knows. */
  unknown: become('unknown'),
  submitRefused: refused('submit', { force: true }),
  takeoffRefused: after(become('pendingRelease'), refused('takeoff')),
  growthRefused: after(rolling, (given) => refused('rollout', grown(given))(given)),
  /** A person is asked: somebody submitted it in the console before the service did. */
  submitQuestion: decided('submit', { force: true }, become('inReview')),
  /** A person is asked: the rollout of Google Play is another one than the growth was decided by. */
  growthQuestion: after(rolling, (given) =>
    decided('rollout', grown(given), (elsewhere) => {
      rolling(elsewhere, 'stopped')
      elsewhere.store.rollout({ state: 'halted', fraction: 0.2 })
    })(given)
  ),
} satisfies Record<string, Build>

export type StoreState = keyof typeof BUILDS

export const STORE_STATES = Object.keys(BUILDS) as StoreState[]

/** The last call of these is on its way. */
const ON_ITS_WAY = ['submitting', 'withdrawing', 'takingOff', 'growing', 'stopping']

/** A release is over by itself in these; one that was skipped before comes to them as well. */
const OVER: readonly StoreState[] = ['whole', 'first', 'wholeSince', 'takenBack', 'replaced']

/** The status of a release; one on hold has its automations paused. */
export type Status = 'active' | 'onHold' | 'completed' | 'skipped' | 'upcoming'

/** A release in a state of its store, as it was last seen. */
export async function storeIn(
  state: StoreState,
  type: StoreType,
  status: Status
): Promise<StoreWorld> {
  const given = await worldOf(type, status)
  const isOver = OVER.includes(state)
  if (isOver && status === 'skipped') {
    rolling(given)
    await given.work()
    await bringTo(given, status)
  }
  await BUILDS[state](given)
  if (!ON_ITS_WAY.includes(state)) await given.work()
  if (!isOver) await bringTo(given, status)
  return given
}

async function worldOf(type: StoreType, status: Status): Promise<StoreWorld> {
  const isUpcoming = status === 'upcoming'
  const given = await storeWorld(type, STEPS, { isUpcoming })
  given.store.upload('4711')
  await given.work()
  return given
}

/** Ends the release by hand, or puts it on hold; what is upcoming or active is so from the start. */
async function bringTo({ admin, appId, path }: StoreWorld, status: Status): Promise<void> {
  const releaseId = path.split('/').at(-1)
  const pause = () => admin.put(`/app/${appId}/automations/pause`, { releaseId, paused: true })
  const end = (how: string) => () => admin.put(`${path}/${how}`, { force: true })
  const ways = { onHold: pause, completed: end('complete'), skipped: end('skip') }
  const answer = status in ways ? await ways[status as keyof typeof ways]() : null
  if (answer && answer.status !== 200) throw new Error(answer.text)
}
