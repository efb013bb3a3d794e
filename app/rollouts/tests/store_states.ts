import { refusal } from '#stores/tests/memory_store'
import { storeWorld, type StoreWorld } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'

/*
 * Brings release 1.4.0, under way, to every state that a store can show for it. The screenshots are
 * not approved, so that the release does not complete automatically, and a submission has to be
 * forced.
 */

const STEPS = ['kickoff', 'screenshots', 'submission', 'storeReview', 'takeoff', 'rollout'] as const

/** Brings an app and its store to a state, beginning with a version ready for submission. */
type Build = (given: StoreWorld) => unknown

/** Loses the answer to the next call: its outcome is unknown. */
const loseAnswer =
  (call: 'submit' | 'cancelReview' | 'release' | 'setRollout', path: string, body: object = {}) =>
  async ({ admin, store, path: release, work }: StoreWorld) => {
    store.breaks.add(`before ${call}`)
    const { status, text } = await admin.put(`${release}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await work()
    if (store.breaks.size > 0) throw new Error(`${call} was not called`)
  }

/** Sends a request that the store refuses by its rules. */
const refuse =
  (path: string, body: object = {}) =>
  async ({ admin, store, path: release, work }: StoreWorld) => {
    store.failures.push(refusal('invalid', 'The agreements are missing'))
    const { status, text } = await admin.put(`${release}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await work()
    if (store.failures.length > 0) throw new Error(`${path} was not called`)
  }

/** Decides something, and changes the store before it gets the request. */
const decide =
  (path: string, body: object, change: Build): Build =>
  async (given) => {
    const { status, text } = await given.admin.put(`${given.path}/${path}`, body)
    if (status !== 200) throw new Error(text)
    await change(given)
  }

/** Returns the request by which a rollout grows. */
const growthOf = ({ store }: StoreWorld) =>
  store.type === 'apple' ? { action: 'complete' } : { action: 'set', percentage: 50 }

const become =
  (...[state, change]: Parameters<StoreWorld['store']['become']>): Build =>
  ({ store }) =>
    void store.become(state, { buildNumbers: ['4711'], ...change })

/** Shows a rollout on its third day at Apple, which is 5 %, or at 10 % at Google. */
function rolling({ store }: StoreWorld, state: 'active' | 'stopped' = 'active') {
  const isApple = store.type === 'apple'
  const rolloutState = state === 'active' ? state : isApple ? 'paused' : 'halted'
  const shown = isApple ? 'live' : rolloutState === 'halted' ? 'halted' : 'rolledOutPartially'
  store.become(shown, { buildNumbers: ['4711'] })
  store.rollout({ state: rolloutState, ...(isApple ? { day: 3 } : { fraction: 0.1 }) })
}

/** Gives users the next version, which replaces this one. */
async function replaced(given: StoreWorld) {
  rolling(given)
  if (given.store.type === 'apple') return given.store.become('replaced')
  given.store.become('live', { version: '1.5.0', buildNumbers: ['4712'] })
  // Google Play's answers may lag. A state is believed once it is shown for longer than the lag.
  return given.work()
}

/**
 * Gives the version to all users.
 * @param before the previous version; `first` if there is known to be none
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

/** Approves the version with another first share than its ladder has now. */
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

const STATES = {
  nothing: () => {},
  prepared: become('preparing'),
  submitting: loseAnswer('submit', 'submit', { force: true }),
  waiting: become('waitingForReview'),
  inReview: become('inReview'),
  /** In review; the store will release it automatically. */
  automatic: become('inReview', { release: { method: 'auto' } }),
  rejected: become('rejected'),
  withdrawing: after(become('inReview'), loseAnswer('cancelReview', 'developerRejectSubmission')),
  approved: become('pendingRelease'),
  laddered,
  /** The call is lost. Google Play has no such call: a person is asked to publish. */
  takingOff: (given) =>
    after(
      become('pendingRelease'),
      given.store.type === 'apple'
        ? loseAnswer('release', 'takeoff')
        : decide('takeoff', {}, () => {})
    )(given),
  active: rolling,
  growing: after(rolling, (given) => loseAnswer('setRollout', 'rollout', growthOf(given))(given)),
  stopping: after(rolling, loseAnswer('setRollout', 'rollout', { action: 'pause' })),
  stopped: (given) => rolling(given, 'stopped'),
  /** All users have it. */
  whole: (given) => whole(given, '1.3.0'),
  /** All users have it, and there was no version before it. */
  first: (given) => whole(given, 'first'),
  /** All users have it, and the previous version is unknown. */
  wholeSince: (given) => whole(given, 'unknown'),
  /** All users had it, and it is halted. */
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
  /** Rejected, with the intended rollout. */
  phasedRejected: (given) => {
    become('rejected')(given)
    given.store.rollout({ state: 'inactive' })
  },
  /** Approved; the store releases it at a set time. */
  scheduled: become('pendingRelease', {
    release: { method: 'scheduled', at: '2199-01-01T00:00:00.000Z' },
  }),
  processing: become('processing'),
  removed: (given) => {
    rolling(given)
    given.store.become('removed')
  },
  /** The store shows a state that the service does not know. */
  unknown: become('unknown'),
  submitRefused: refuse('submit', { force: true }),
  takeoffRefused: after(become('pendingRelease'), refuse('takeoff')),
  growthRefused: after(rolling, (given) => refuse('rollout', growthOf(given))(given)),
  /** A person is asked, because somebody submitted it in the console before the service did. */
  submitQuestion: decide('submit', { force: true }, become('inReview')),
  /**
   * A person is asked, because the rollout in Google Play differs from the one for which the growth
   * was decided.
   */
  growthQuestion: after(rolling, (given) =>
    decide('rollout', growthOf(given), (elsewhere) => {
      rolling(elsewhere, 'stopped')
      elsewhere.store.rollout({ state: 'halted', fraction: 0.2 })
    })(given)
  ),
} satisfies Record<string, Build>

export type StoreState = keyof typeof STATES

export const STORE_STATES = Object.keys(STATES) as StoreState[]

/** The states whose last call is pending. */
const ON_ITS_WAY = ['submitting', 'withdrawing', 'takingOff', 'growing', 'stopping']

/**
 * The states that complete a release automatically. A release that was skipped before can reach
 * them as well.
 */
const OVER: readonly StoreState[] = ['whole', 'first', 'wholeSince', 'takenBack', 'replaced']

/** The status of a release; one on hold has its automations paused. */
export type Status = 'active' | 'onHold' | 'completed' | 'skipped' | 'upcoming'

/** Returns a release in a state of its store, as of the last check. */
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
    await applyStatus(given, status)
  }
  await STATES[state](given)
  if (!ON_ITS_WAY.includes(state)) await given.work()
  if (!isOver) await applyStatus(given, status)
  return given
}

async function worldOf(type: StoreType, status: Status): Promise<StoreWorld> {
  const isUpcoming = status === 'upcoming'
  const given = await storeWorld(type, STEPS, { isUpcoming })
  given.store.upload('4711')
  await given.work()
  return given
}

/**
 * Ends the release by hand, or puts it on hold. Upcoming and active releases have their status from
 * the start.
 */
async function applyStatus({ admin, appId, path }: StoreWorld, status: Status): Promise<void> {
  const releaseId = path.split('/').at(-1)
  const pause = () => admin.put(`/app/${appId}/automations/pause`, { releaseId, paused: true })
  const end = (how: string) => () => admin.put(`${path}/${how}`, { force: true })
  const actions = { onHold: pause, completed: end('complete'), skipped: end('skip') }
  const response = status in actions ? await actions[status as keyof typeof actions]() : null
  if (response && response.status !== 200) throw new Error(response.text)
}
