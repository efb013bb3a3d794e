import { generateKeyPairSync } from 'node:crypto'
import { AppStoreConnectFake } from '@tarmac/plugin-app-store-connect/fake'
import type { ConsoleAction, State, Truth } from '../../../examples/hostile-store/src/core/index.js'
import { DAY, MINUTE, SECOND } from '#foundation/core/durations'
import { blank, WatchedStore, type WatchedOptions } from './watched_store.js'

type World = AppStoreConnectFake['world']
type Version = World['versions'][number]
type Phased = NonNullable<Version['phased']>

const KEY_ID = '2X9R4HXF34'
const ISSUER = '57246542-96fe-1a63-e053-0824d011072a'

const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export const appleCredentials = () => ({ issuerId: ISSUER, keyId: KEY_ID, privateKey })

const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
/** Days of a phased release, after which it is complete. */
const DAYS = 7
const PAUSE_BUDGET = 30 * DAY

const STATES: Readonly<Record<string, State>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  READY_FOR_REVIEW: 'readyForReview',
  WAITING_FOR_REVIEW: 'waitingForReview',
  IN_REVIEW: 'inReview',
  REJECTED: 'rejected',
  DEVELOPER_REJECTED: 'developerRejected',
  PENDING_DEVELOPER_RELEASE: 'pendingRelease',
  PROCESSING_FOR_DISTRIBUTION: 'processing',
  READY_FOR_DISTRIBUTION: 'live',
  REPLACED_WITH_NEW_VERSION: 'replaced',
}

const EDITABLE = ['PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'REJECTED', 'DEVELOPER_REJECTED']
const IN_REVIEW = ['WAITING_FOR_REVIEW', 'IN_REVIEW']

interface Review {
  /** The version and the number of its submission. */
  submission: string
  versionId: string
  beginsAt: number
  endsAt: number
}

/** The fake of App Store Connect, whose history is recorded. */
export class WatchedApple extends WatchedStore {
  readonly fake: AppStoreConnectFake
  #reviews: Review[] = []
  #late: { number: string; at: number }[] = []

  constructor(options: WatchedOptions, nowMs: () => number) {
    super(options)
    this.fake = new AppStoreConnectFake(
      { [KEY_ID]: { publicKey, issuerId: ISSUER } },
      () => this.now
    )
    this.fake.seed({ appStore: this.#scenario() })
    const { settings } = this.fake.world
    settings.appearingMs = Math.round(this.draw('appearing') * 8) * SECOND
    settings.cancelingMs = Math.round(2 + this.draw('canceling') * 58) * SECOND
    settings.distributingMs = Math.round(1 + this.draw('distributing') * 29) * MINUTE
    settings.takesRejectedAgain = this.draw('again') < 0.5
    this.remember()
    this.watch(this.fake, nowMs)
  }

  #scenario() {
    const { live, builds, startsAt } = this.options
    const build = (number: string, state: string) => {
      const version = `${number[0]}.${number[1]}.${number[2]}`
      const uploadedAt = new Date(startsAt - DAY).toISOString()
      return { id: `build-${number}`, number, version, uploadedAt, state }
    }
    const all = Object.entries(builds).map(([number, at]) => {
      if (at > startsAt) this.#late.push({ number, at })
      return build(number, at > startsAt ? 'processing' : 'ready')
    })
    const first = live && {
      id: 'live',
      version: live.version,
      buildNumber: live.build,
      state: 'live',
      fraction: 1,
      rollout: 'inactive' as const,
    }
    return {
      builds: [...(live ? [build(live.build, 'ready')] : []), ...all],
      versions: first ? [first] : [],
      metadata: [],
      reviews: [],
    }
  }

  revoke(isRevoked: boolean): void {
    if (isRevoked) this.fake.keys.delete(KEY_ID)
    else this.fake.keys.set(KEY_ID, { publicKey, issuerId: ISSUER })
  }

  lag(milliseconds: number): void {
    this.fake.world.settings.lagMs = milliseconds
  }

  protected isForToken(): boolean {
    return false
  }

  protected present(): Truth[] {
    const { versions, builds } = this.fake.world
    return versions.map((each) => {
      const build = builds.find(({ id }) => id === each.buildId)
      return truthOf(each, build?.number ?? '', this.now)
    })
  }

  protected get dueAt(): number {
    const { versions, submissions } = this.fake.world
    return Math.min(
      ...this.#late.map(({ at }) => at),
      ...this.#reviews.flatMap(({ beginsAt, endsAt }) => [beginsAt, endsAt]),
      ...submissions.map(({ cancelledAt }) => cancelledAt ?? Infinity),
      ...versions.map(({ distributedAt }) => distributedAt ?? Infinity),
      ...versions.map((each) => nextOf(each, this.now))
    )
  }

  protected due(): void {
    const { now } = this
    for (const { number, at } of this.#late) {
      const build = this.fake.world.builds.find((each) => each.number === number)
      if (at <= now && build) build.processing = 'VALID'
    }
    this.#late = this.#late.filter(({ at }) => at > now)
    // The fake carries out due changes when it is asked for its state.
    this.fake.state()
    for (const review of [...this.#reviews]) this.#review(review)
  }

  #review(review: Review): void {
    const { versions, submissions } = this.fake.world
    const version = versions.find(({ id }) => id === review.versionId)
    const submission = submissions.find(
      ({ versionId, state }) => versionId === review.versionId && IN_REVIEW.includes(state)
    )
    if (!version || !submission) return
    if (review.endsAt <= this.now) {
      this.#reviews = this.#reviews.filter((each) => each !== review)
      const isRejected = this.draw('verdict', review.submission) < this.options.rejected
      this.fake.decide(version.id, isRejected ? 'rejected' : 'approved')
    } else if (review.beginsAt <= this.now) {
      review.beginsAt = Infinity
      this.fake.inConsole(() => (version.state = submission.state = 'IN_REVIEW'))
    }
  }

  protected watchReviews(): void {
    const { versions, submissions } = this.fake.world
    const open = submissions.filter(({ state }) => IN_REVIEW.includes(state))
    const found = open.flatMap(({ versionId }): Review[] => {
      const version = versions.find(({ id }) => id === versionId)
      if (!version) return []
      const submission = `${version.version} ${version.submissions}`
      const known = this.#reviews.find((each) => each.submission === submission)
      if (known) return [known]
      const time = this.reviewTime(submission)
      const [beginsAt, endsAt] = [this.now + Math.round(time / 3), this.now + time]
      return [{ submission, versionId: version.id, beginsAt, endsAt }]
    })
    this.#reviews = found
  }

  protected act(action: ConsoleAction): boolean {
    let isDone = false
    this.fake.inConsole((world) => (isDone = this.#change(world, action)))
    return isDone
  }

  #change(world: World, action: ConsoleAction): boolean {
    if (action.what === 'publishOther') return this.#publishOther(world, action)
    if (!('version' in action) || action.what === 'submitOther' || action.what === 'set')
      return false
    const version = world.versions.find((each) => each.version === action.version)
    if (!version) return false
    switch (action.what) {
      case 'submit':
        return this.#submit(world, version)
      case 'withdraw':
        return this.#withdraw(world, version)
      case 'release':
        return this.#release(world, version)
      case 'remove':
        return remove(world, version)
      case 'reject':
        return this.#reject(world, version)
      default:
        return this.#roll(version, action.what)
    }
  }

  #submit({ submissions }: World, version: Version): boolean {
    if (!EDITABLE.includes(version.state) || version.buildId === null) return false
    const isBusy = submissions.some(
      ({ state, versionId }) => versionId !== null && [...IN_REVIEW, 'CANCELING'].includes(state)
    )
    if (isBusy) return false
    const own = submissions.find(
      ({ state, versionId }) => versionId === version.id && state !== 'COMPLETE'
    )
    if (own) own.state = 'WAITING_FOR_REVIEW'
    else {
      submissions.push({
        id: `console-${submissions.length}`,
        state: 'WAITING_FOR_REVIEW',
        others: 0,
        versionId: version.id,
        createdAt: this.now,
        shownAt: this.now,
        cancelledAt: null,
      })
    }
    version.state = 'WAITING_FOR_REVIEW'
    version.submissions += 1
    return true
  }

  #withdraw({ submissions, settings }: World, version: Version): boolean {
    if (version.state === 'PENDING_DEVELOPER_RELEASE') {
      version.state = 'DEVELOPER_REJECTED'
      return true
    }
    const own = submissions.find(
      ({ state, versionId }) => versionId === version.id && IN_REVIEW.includes(state)
    )
    if (!own) return false
    Object.assign(own, { state: 'CANCELING', cancelledAt: this.now + settings.cancelingMs })
    return true
  }

  #release({ settings }: World, version: Version): boolean {
    if (version.state !== 'PENDING_DEVELOPER_RELEASE') return false
    version.state = 'PROCESSING_FOR_DISTRIBUTION'
    version.distributedAt = this.now + settings.distributingMs
    return true
  }

  #reject({ submissions }: World, version: Version): boolean {
    const own = submissions.find(
      ({ state, versionId }) => versionId === version.id && IN_REVIEW.includes(state)
    )
    if (!own) return false
    own.state = 'UNRESOLVED_ISSUES'
    version.state = 'REJECTED'
    return true
  }

  #roll({ state, isOffSale, phased }: Version, what: 'halt' | 'resume' | 'complete'): boolean {
    if (!phased || state !== 'READY_FOR_DISTRIBUTION' || isOffSale) return false
    const to = { halt: 'PAUSED', resume: 'ACTIVE', complete: 'COMPLETE' }[what]
    if (!['ACTIVE', 'PAUSED'].includes(phased.state) || phased.state === to) return false
    const paused = phased.state === 'PAUSED' ? this.now - phased.since : 0
    const day = to === 'COMPLETE' ? DAYS : dayOf(phased, this.now)
    const pausedMs = phased.pausedMs + paused
    if (to === 'PAUSED' && pausedMs >= PAUSE_BUDGET) return false
    Object.assign(phased, { state: to, day, pausedMs, since: this.now })
    return true
  }

  #publishOther(world: World, { version, build }: { version: string; build: string }): boolean {
    const names = ['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION']
    const isFree = world.versions.every(
      (each) => names.includes(each.state) && each.version < version
    )
    if (!isFree) return false
    const uploadedAt = this.now - DAY
    world.builds.push({
      ...{ id: `build-${build}`, number: build, version, uploadedAt, processing: 'VALID' },
      ...{ isExpired: false, encrypts: false, groupIds: [], notes: [], betaReview: null },
    })
    world.versions.push({
      ...{ id: `other-${version}`, version, state: 'PROCESSING_FOR_DISTRIBUTION' },
      ...{ isOffSale: false, buildId: `build-${build}`, releaseType: 'MANUAL', texts: [] },
      ...{ earliestReleaseDate: null, createdAt: this.now, shownAt: this.now },
      ...{ distributedAt: this.now, phased: null, detail: null, submissions: 1 },
    })
    return true
  }
}

function remove(world: World, version: Version): boolean {
  if (version.state === 'READY_FOR_DISTRIBUTION' && !version.isOffSale) {
    version.isOffSale = true
    return true
  }
  if (!EDITABLE.includes(version.state)) return false
  world.versions = world.versions.filter((each) => each !== version)
  world.submissions = world.submissions.filter(({ versionId }) => versionId !== version.id)
  return true
}

function dayOf({ state, day, since }: Phased, now: number): number {
  return state === 'ACTIVE' ? Math.min(DAYS, day + Math.floor((now - since) / DAY)) : day
}

/** Returns the next time at which a phased release changes by itself. */
function nextOf({ state, phased }: Version, now: number): number {
  if (!phased || state !== 'READY_FOR_DISTRIBUTION') return Infinity
  if (phased.state === 'ACTIVE') {
    return phased.since + (Math.floor((now - phased.since) / DAY) + 1) * DAY
  }
  if (phased.state !== 'PAUSED') return Infinity
  return phased.since + PAUSE_BUDGET - phased.pausedMs + 1
}

function truthOf(version: Version, build: string, now: number): Truth {
  const { state: raw, phased, isOffSale, submissions } = version
  const isServed = raw === 'READY_FOR_DISTRIBUTION'
  const isPartly = isServed && phased !== null && phased.state !== 'COMPLETE'
  const state = isOffSale && isServed ? 'removed' : isPartly ? 'rolledOutPartially' : STATES[raw]
  const isOut = isServed || raw === 'REPLACED_WITH_NEW_VERSION'
  const share = !isOut ? 0 : phased && phased.state !== 'INACTIVE' ? shareOf(version, now) : 1
  return {
    ...blank(version.version, 'app', build),
    raw,
    state,
    review: IN_REVIEW.includes(raw) ? 'inReview' : 'notSubmitted',
    submission: submissions,
    phased: phased !== null,
    release: version.releaseType === 'AFTER_APPROVAL' ? 'auto' : 'manual',
    rollout: phased && {
      mode: 'phased',
      state: phased.state.toLowerCase() as NonNullable<Truth['rollout']>['state'],
      fraction: phased.state === 'INACTIVE' ? 0 : shareOf(version, now),
    },
    share,
    stopped: isOffSale || (isPartly && phased.state === 'PAUSED'),
  }
}

function shareOf({ state, phased }: Version, now: number): number {
  if (!phased) return 1
  if (phased.state === 'COMPLETE' && state !== 'REPLACED_WITH_NEW_VERSION') return 1
  return SHARES[dayOf(phased, now) - 1]
}
