import { generateKeyPairSync } from 'node:crypto'
import { GooglePlayFake } from '@tarmac/plugin-google-play/fake'
import type { ConsoleAction, Truth } from '../../../examples/hostile-store/src/core/index.js'
import { blank, WatchedStore, type WatchedOptions } from './watched_store.js'

type Store = GooglePlayFake['store']
type Release = Store['releases'][number]

const ACCOUNT = 'tarmac@acme.iam.gserviceaccount.com'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

let keys = 0

/** A new key file each time, as the plugin caches facts about an app by key within a process. */
export function googleCredentials() {
  keys += 1
  const file = { type: 'service_account', private_key: privateKey, client_email: ACCOUNT }
  return { serviceAccount: JSON.stringify({ ...file, private_key_id: `key-${keys}` }) }
}

const PRODUCTION = 'production'

const codeOf = ({ versionCodes }: Release) => Math.max(...versionCodes)

const REVIEWS = {
  none: 'notSubmitted',
  inReview: 'inReview',
  approved: 'approved',
  rejected: 'rejected',
} as const

/** The fake of Google Play, whose history is recorded. */
export class WatchedGoogle extends WatchedStore {
  readonly fake: GooglePlayFake
  #builds: { code: number; at: number }[]
  /** The releases in review, and the end of the review. */
  #review: { releases: string; endsAt: number } | null = null
  #reviews = 0

  constructor(options: WatchedOptions, nowMs: () => number) {
    super(options)
    this.fake = new GooglePlayFake(() => this.now)
    const { live } = options
    this.fake.seed(live ? { appStore: scenarioOf(live.version, live.build) } : {})
    const { store } = this.fake
    if (!live) store.hasBeenOut.delete(PRODUCTION)
    store.isManaged = options.managed ?? false
    store.isSentByHand = options.sendByHand ?? false
    this.#builds = Object.entries(options.builds).map(([code, at]) => ({ code: Number(code), at }))
    this.fake.inConsole(() => undefined)
    this.remember()
    this.watch(this.fake, nowMs)
  }

  revoke(isRevoked: boolean): void {
    if (isRevoked) this.fake.revoked.add(ACCOUNT)
    else this.fake.revoked.delete(ACCOUNT)
  }

  lag(milliseconds: number): void {
    this.fake.lagMs = milliseconds
  }

  protected isForToken({ url }: Request): boolean {
    return url.includes('oauth2')
  }

  protected present(): Truth[] {
    const { store } = this.fake
    return store.releases
      .filter(({ track }) => track !== 'internal')
      .map((each) => truthOf(each, each.isOut && !store.on(each.track).includes(each)))
  }

  /** A release that is halted while a newer one exists is halted first and replaced at once. */
  protected override between(before: Truth, after: Truth): Truth | null {
    const isHalted = after.state === 'replaced' && after.stopped && !before.stopped
    return isHalted ? { ...after, state: 'halted' } : null
  }

  protected get dueAt(): number {
    const builds = this.#builds.map(({ at }) => at)
    return Math.min(this.#review?.endsAt ?? Infinity, ...builds)
  }

  protected due(): void {
    const { store } = this.fake
    for (const { code, at } of this.#builds) if (at <= this.now) store.library.add(code)
    this.#builds = this.#builds.filter(({ at }) => at > this.now)
    if (!this.#review || this.#review.endsAt > this.now) return
    const isRejected = this.draw('verdict', this.#reviews) < this.options.rejected
    this.fake.decide(isRejected ? 'rejected' : 'approved')
    // Some apps need their changes to be sent by hand after a rejection.
    if (isRejected && this.draw('byHand', this.#reviews) < 0.3) store.isSentByHand = true
  }

  /** Google Play reviews all pending releases together, and begins anew when one is added. */
  protected watchReviews(): void {
    const releases = this.fake.store.releases
      .filter((each) => !each.isOut && each.status !== 'draft' && each.review === 'inReview')
      .map((each) => `${each.track} ${codeOf(each)} ${each.submissions}`)
      .join()
    if (releases === (this.#review?.releases ?? '')) return
    this.#reviews += 1
    const endsAt = this.now + this.reviewTime(this.#reviews)
    this.#review = releases === '' ? null : { releases, endsAt }
  }

  protected act(action: ConsoleAction): boolean {
    let isDone = false
    const { store } = this.fake
    if (!this.#mayDo(store, action)) return false
    this.fake.inConsole(() => (isDone = this.#change(store, action)))
    return isDone
  }

  /** An action about an unknown version is not offered: it must not even end an open edit. */
  #mayDo(store: Store, action: ConsoleAction): boolean {
    return !('version' in action) || isNew(action) || this.#found(store, action.version) !== null
  }

  #found(store: Store, version: string): Release | null {
    const all = store.tracks.flatMap((track) => store.on(track))
    return all.find((each) => nameOf(each) === version) ?? null
  }

  #change(store: Store, action: ConsoleAction): boolean {
    switch (action.what) {
      case 'send':
        store.send()
        return true
      case 'sendByHand':
        store.isSentByHand = action.on
        return true
      case 'submitOther':
        return this.#submitOther(store, action)
      case 'publishOther':
        return this.#publishOther(store, action)
      default:
        return this.#changeRelease(store, this.#found(store, action.version)!, action)
    }
  }

  #changeRelease(
    store: Store,
    release: Release,
    action: Exclude<ConsoleAction, { what: 'send' | 'sendByHand' | 'submitOther' | 'publishOther' }>
  ): boolean {
    const { what } = action
    if (what === 'submit') return submitted(store, release)
    if (what === 'release') {
      if (release.isOut || release.review !== 'approved') return false
      store.publish()
      return true
    }
    if (what === 'withdraw' || what === 'remove' || what === 'reject') {
      if (release.isOut) return false
      return this.#removeDecision(store, release, what)
    }
    if (!release.isOut || release.track !== PRODUCTION) return false
    return rolled(store, release, action)
  }

  #removeDecision(store: Store, release: Release, what: 'withdraw' | 'remove' | 'reject'): boolean {
    const isInReview = release.review === 'inReview' && release.status !== 'draft'
    if (what === 'remove') {
      if (isInReview) return false
      store.releases = store.releases.filter((each) => each !== release)
      return true
    }
    if (!isInReview) return false
    if (what === 'reject') store.decide('rejected')
    else Object.assign(release, { status: 'draft', userFraction: null, review: 'none' })
    return true
  }

  #submitOther(store: Store, { build }: { build: string }): boolean {
    if (store.releases.some(({ track }) => track === 'beta')) return false
    store.releases.push(released('beta', '0.9.0', Number(build), null))
    store.send(({ track }) => track === 'beta')
    return true
  }

  #publishOther(store: Store, { version, build, fraction }: Published): boolean {
    if (store.releases.some((each) => codeOf(each) >= Number(build))) return false
    const isFirst = !store.releases.some(({ track, isOut }) => track === PRODUCTION && isOut)
    const share = isFirst ? null : (fraction ?? null)
    const release = released(PRODUCTION, version, Number(build), share)
    store.library.add(Number(build))
    store.releases.push({ ...release, review: 'approved', isOut: true, submissions: 1 })
    return true
  }
}

type Published = Extract<ConsoleAction, { what: 'publishOther' }>

const isNew = ({ what }: ConsoleAction) => what === 'publishOther' || what === 'submitOther'

const scenarioOf = (version: string, build: string) => ({
  builds: [{ id: build, number: build, version, uploadedAt: '', state: 'ready' }],
  versions: [
    {
      id: build,
      version,
      buildNumber: build,
      state: 'live',
      fraction: 1,
      rollout: 'complete' as const,
    },
  ],
  metadata: [],
  reviews: [],
})

const released = (track: string, version: string, code: number, share: number | null): Release => ({
  ...{ track, name: `${version} (${code})`, versionCodes: [code], notes: [], priority: null },
  ...{ status: share === null ? 'completed' : 'inProgress', userFraction: share },
  ...{ review: 'none', isOut: false, unsent: null, submissions: 0, pinned: null },
})

/**
 * Returns the version at the start of a release's name, prefixed by the track unless that is
 * production.
 */
function nameOf({ name, track, versionCodes }: Release): string {
  const [version = String(versionCodes[0])] = /^\d+(?:\.\d+)+/.exec(name ?? '') ?? []
  return track === PRODUCTION ? version : `${track} ${version}`
}

function submitted(store: Store, release: Release): boolean {
  if (release.isOut || ['inReview', 'approved'].includes(release.review)) return false
  if (release.status === 'draft') {
    const isFirst = !store.releases.some(({ isOut }) => isOut)
    const share = isFirst ? null : 0.1
    Object.assign(release, { status: isFirst ? 'completed' : 'inProgress', userFraction: share })
  }
  release.review = 'none'
  store.send()
  return true
}

/** Changes a rollout in the console, which takes effect at once. */
function rolled(store: Store, release: Release, action: ConsoleAction): boolean {
  const { status, userFraction } = release
  const become = (next: Pick<Release, 'status' | 'userFraction'>) =>
    Object.assign(release, next, { unsent: null }) === release
  if (action.what === 'halt') {
    const hasPredecessor =
      store.hasBeenOut.has(release.track) ||
      store.releases.some((each) => each.isOut && codeOf(each) < codeOf(release))
    if (status === 'halted' || (status === 'completed' && !hasPredecessor)) return false
    return become({ status: 'halted', userFraction })
  }
  if (status === 'completed') return false
  if (action.what === 'complete') return become({ status: 'completed', userFraction: null })
  if (action.what === 'resume') {
    if (status !== 'halted') return false
    return become({ status: userFraction === null ? 'completed' : 'inProgress', userFraction })
  }
  if (action.what !== 'set') return false
  if (status === 'inProgress' && action.fraction <= (userFraction ?? 1)) return false
  return become({ status: 'inProgress', userFraction: action.fraction })
}

const OUT = {
  draft: ['preparing', 'inactive'],
  inProgress: ['rolledOutPartially', 'active'],
  halted: ['halted', 'halted'],
  completed: ['live', 'complete'],
} as const

function truthOf(release: Release, isReplaced: boolean): Truth {
  const { track, status, userFraction, review, isOut, unsent, submissions } = release
  const base = {
    ...blank(nameOf(release), track, String(codeOf(release))),
    review: REVIEWS[review],
    submission: submissions,
    phased: userFraction !== null,
    ...(userFraction === null ? {} : { planned: userFraction }),
    raw: status,
  }
  if (isOut) {
    const [state, rollout] = OUT[status]
    const isHaltedWhole = status === 'halted' && userFraction === null
    const fraction = isHaltedWhole ? {} : { fraction: userFraction ?? 1 }
    return {
      ...base,
      state: isReplaced ? 'replaced' : state,
      rollout: { mode: 'staged', state: rollout, ...fraction },
      share: userFraction ?? 1,
      stopped: status === 'halted',
      waitsForSending: unsent !== null,
    }
  }
  const rollout = { mode: 'staged', state: 'inactive', fraction: 0 } as const
  if (status === 'draft') return { ...base, review: 'notSubmitted', rollout }
  const states = { none: 'readyForReview', approved: 'pendingRelease' } as const
  const state = review === 'none' || review === 'approved' ? states[review] : review
  return { ...base, state, rollout, waitsForSending: review === 'none' }
}
