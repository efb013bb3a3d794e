import { someOutages } from './outages.js'
import { nextTrain, nextVersion } from './trains_of_model.js'
import { dayAfter } from './wall_clock.js'
import {
  Chance,
  DAY,
  HOUR,
  iso,
  MINUTE,
  PHASES,
  someApp,
  TICK,
  type Deed,
  type Freeze,
  type Happening,
  type Outage,
  type Phase,
  type SimulatedApp,
} from './world_of_model.js'

/** A release as the model knows it. */
interface Release {
  version: [number, number, number]
  pilot: number
  targets: Record<Phase, number>
  kickedOff: boolean
  /** It is the active release of the train. */
  isActive: boolean
  /** Its kickoff waits for the train. */
  waits: boolean
  /** True if each date was ahead when it was set. */
  isArmed: Record<Phase, boolean>
  /** The dates that automations have dealt with. */
  ended: Partial<Record<Phase, number>>
  /** Dates that a freeze holds back; after the freeze, its end. */
  held: Partial<Record<Phase, { thawedAt: number | null }>>
  /** The date that was reminded of last. */
  reminded: Partial<Record<Phase, number>>
}

interface AppState {
  app: SimulatedApp
  /** Index of the next undecided train. */
  train: number
  /** The time of the decision. */
  decidedAt: number
  releases: Release[]
  /** Releases that are not over. */
  open: Release[]
  freezes: Freeze[]
  pausedUntil: number
  /** True if its automations are on. */
  isOn: boolean
  runAfterFreeze: boolean
  isCadencePaused: boolean
}

export interface Prediction {
  apps: SimulatedApp[]
  outages: Outage[]
  deeds: Deed[]
  happenings: Happening[]
}

const PILOTS = 3
/** An automation acts no later than this after its time. */
const MAX_LATE = 24 * HOUR
const REMINDED: Record<SimulatedApp['platform'], readonly Phase[]> = {
  'ios': ['kickoff', 'submit', 'release'],
  'android': ['kickoff', 'submit'],
  'react-native-ota': ['kickoff'],
}

/** The automations per store. */
export const AUTOMATED: Record<SimulatedApp['platform'], readonly Phase[]> = {
  'ios': ['kickoff', 'submit', 'release'],
  'android': ['kickoff', 'submit'],
  'react-native-ota': ['kickoff', 'release'],
}

const armed = (targets: Record<Phase, number>, now: number) =>
  Object.fromEntries(PHASES.map((phase) => [phase, targets[phase] > now])) as Release['isArmed']

const nameOf = ({ version }: Release) => version.join('.')

/**
 * Simulates a person who looks at the clock every quarter of an hour and follows the rules. The
 * jobs of the service must have the same result.
 */
export class Model {
  readonly happenings: Happening[] = []
  readonly deeds: Deed[] = []
  readonly #chance: Chance
  readonly #states: AppState[]
  readonly #outages: Outage[]

  constructor(
    seed: number,
    private readonly start: number,
    private readonly end: number,
    count: number
  ) {
    this.#chance = new Chance(seed)
    const apps = Array.from({ length: count }, (_, index) => someApp(index, start, this.#chance))
    this.#outages = someOutages(apps, start, end, this.#chance)
    this.#states = apps.map((app) => ({
      app,
      train: 0,
      decidedAt: 0,
      releases: [],
      open: [],
      freezes: [],
      pausedUntil: 0,
      isOn: app.isAutomated,
      runAfterFreeze: app.runAfterFreeze,
      isCadencePaused: false,
    }))
  }

  predict(): Prediction {
    for (let tick = this.start; tick < this.end; tick += TICK) {
      const isDown = this.#outages.some(({ from, to }) => from <= tick && tick < to)
      this.#states.forEach((state, app) => {
        if (isDown) this.#notice(state, tick)
        else this.#work(state, app, tick)
      })
      // People act in the middle of a quarter, and not on a service that is down.
      if (!isDown) this.#people(tick + 7 * MINUTE)
    }
    const { happenings, deeds: actions } = this
    return {
      apps: this.#states.map(({ app }) => app),
      outages: this.#outages,
      deeds: actions,
      happenings,
    }
  }

  /** Freezes end, whether the service runs or not. */
  #notice(state: AppState, now: number): void {
    for (const { held } of state.open) {
      for (const phase of PHASES) {
        const each = held[phase]
        if (each && each.thawedAt === null && !isFrozen(state, phase, now)) each.thawedAt = now
      }
    }
  }

  #work(state: AppState, app: number, now: number): void {
    this.#notice(state, now)
    while (!state.isCadencePaused && now >= state.decidedAt) this.#decide(state, app, now)
    for (const release of state.open) {
      for (const phase of AUTOMATED[state.app.platform]) {
        this.#automate(state, app, release, phase, now)
      }
      for (const phase of REMINDED[state.app.platform]) {
        this.#remind(state, app, release, phase, now)
      }
    }
  }

  #decide(state: AppState, index: number, now: number): void {
    const { app, train, releases } = state
    const { date, exception, targets } = nextTrain(state)
    state.decidedAt = targets.kickoff - app.draftWeeksAhead * 7 * DAY
    if (now < state.decidedAt) return
    Object.assign(state, { train: train + 1, decidedAt: 0 })
    const isHit = PHASES.some((phase) => isFrozen(state, phase, targets[phase]))
    const reason = exception?.skipped
      ? 'skipped'
      : app.skipFrozenDates && isHit
        ? 'frozen'
        : targets.kickoff < now
          ? 'passed'
          : null
    if (reason !== null) {
      return this.#report(now, index, 'app.trainLeftOut', null, `${date} ${reason}`)
    }
    const release: Release = {
      version: nextVersion(releases, targets.kickoff),
      pilot: this.#nextPilot(state, exception?.movedTo ?? date),
      targets,
      kickedOff: false,
      isActive: !state.open.some(({ isActive }) => isActive),
      waits: false,
      isArmed: armed(targets, now),
      ended: {},
      held: {},
      reminded: {},
    }
    releases.push(release)
    state.open.push(release)
    const dates = PHASES.map((phase) => iso(targets[phase])).join(' ')
    this.#report(now, index, 'release.created', nameOf(release), `${release.pilot} ${dates}`)
  }

  #nextPilot({ app, releases }: AppState, begins: string): number {
    const kickoffDay = dayAfter(begins, app.targets.kickoff.dayOffset)
    const last = releases.at(-1)?.pilot ?? -1
    const turns = Array.from({ length: PILOTS }, (_, step) => (last + 1 + step) % PILOTS)
    const isAway = (pilot: number) =>
      app.absences.some(
        (each) => each.pilot === pilot && each.from <= kickoffDay && kickoffDay <= each.to
      )
    return turns.find((pilot) => !isAway(pilot)) ?? turns[0]
  }

  #automate(state: AppState, index: number, release: Release, phase: Phase, now: number): void {
    const target = release.targets[phase]
    const isDone = phase === 'kickoff' && release.kickedOff
    if (!state.isOn || isDone || release.ended[phase] === target) return
    if (!release.isArmed[phase] || now < target) return
    const isFreed = phase === 'kickoff' && release.waits
    if (isFreed && !release.isActive) return
    const held = release.held[phase]
    const dueAt = held ? held.thawedAt : isFreed ? now : target
    if (dueAt === null) return
    const fail = (what: string) =>
      this.#report(
        now,
        index,
        'automation.failed',
        nameOf(release),
        `skipped ${what} ${iso(target)}`
      )
    const end = () => {
      release.ended[phase] = target
      delete release.held[phase]
    }
    if (now < state.pausedUntil) {
      end()
      return fail('paused')
    }
    const isFrozenNow = isFrozen(state, phase, now)
    if ((isFrozenNow || held) && !state.runAfterFreeze) {
      end()
      return fail('frozen')
    }
    if (isFrozenNow) {
      if (!held) fail('frozen')
      release.held[phase] = { thawedAt: null }
      release.waits = false
      return
    }
    end()
    if (now - dueAt > MAX_LATE) return fail('missed')
    if (phase === 'kickoff' && !release.isActive) {
      delete release.ended[phase]
      release.waits = true
      return fail('train_held')
    }
    // An incomplete step blocks everything after the kickoff.
    if (phase !== 'kickoff') return fail('not_ready')
    release.kickedOff = true
    this.#report(now, index, 'release.kickedOff', nameOf(release), '')
    this.#report(now, index, 'automation.ran', nameOf(release), `succeeded null ${iso(target)}`)
  }

  #remind(state: AppState, index: number, release: Release, phase: Phase, now: number): void {
    const target = release.targets[phase]
    const isDone = phase === 'kickoff' && release.kickedOff
    const lead = state.app.leadTimeMinutes[phase] * MINUTE
    if (isDone || now >= target || now < target - lead) return
    if (release.reminded[phase] === target) return
    release.reminded[phase] = target
    const frozen = isFrozen(state, phase, target) ? ' frozen' : ''
    this.#report(now, index, `release.${phase}Reminder`, nameOf(release), `${iso(target)}${frozen}`)
  }

  /** Now and then a person acts on some app, and once a week somebody clears up. */
  #people(now: number): void {
    const chance = this.#chance
    this.#states.forEach((state, app) => {
      const isWeekly = Math.floor(now / TICK) % (7 * 96) === app * 11
      if (isWeekly) for (const release of [...state.open]) this.#clearUp(state, app, release, now)
      // A freeze that holds something makes people look at freezes.
      const days = isHeld(state) ? 2 : 9
      if (!chance.is(1 / (days * 96))) return
      const { open } = state
      const what = this.#whatNext(state)
      if (what === 'freeze') this.#freeze(state, app, now)
      else if (what === 'switch') this.#switch(state, app, now)
      else if (what === 'setting') this.#set(state, app, now)
      else if (what === 'cadence') this.#pauseCadence(state, app, now)
      else if (what === 'pause') {
        state.pausedUntil = Math.floor(now / TICK) * TICK + chance.whole(1, 400) * TICK
        this.#do(state, { at: now, app, what: 'pause', resumeAt: state.pausedUntil })
      } else if (open.length > 0) this.#handle(state, app, what, chance.pick(open), now)
    })
  }

  /** A disabled automation is soon enabled again. */
  #whatNext(state: AppState): string {
    const { app, isOn, isCadencePaused } = state
    const chance = this.#chance
    if (isHeld(state) && chance.is(0.6)) return 'freeze'
    if (isCadencePaused && chance.is(0.6)) return 'cadence'
    if (app.isAutomated && !isOn && chance.is(0.6)) return 'switch'
    const often = ['skip', 'move', 'move', 'move', 'kickoff', 'freeze', 'freeze', 'freeze', 'pause']
    return chance.pick([...often, 'switch', 'setting', 'cadence'])
  }

  /** Leaves out dates that have passed, and dates that waited for the end of a freeze. */
  #switch(state: AppState, app: number, now: number): void {
    state.isOn = !state.isOn
    for (const release of state.open) {
      release.isArmed = armed(release.targets, now)
      release.held = {}
      release.waits = false
    }
    this.#setAutomations(state, app, now)
  }

  /** True if a held automation runs at the end of the freeze. */
  #set(state: AppState, app: number, now: number): void {
    state.runAfterFreeze = !state.runAfterFreeze
    this.#setAutomations(state, app, now)
  }

  #setAutomations(state: AppState, app: number, at: number): void {
    const { isOn, runAfterFreeze } = state
    this.#do(state, { at, app, what: 'switch', isOn, runAfterFreeze })
  }

  /** Trains that would have left meanwhile are left out. */
  #pauseCadence(state: AppState, app: number, now: number): void {
    state.isCadencePaused = !state.isCadencePaused
    while (nextTrain(state).targets.kickoff < now) state.train += 1
    state.decidedAt = 0
    this.#do(state, { at: now, app, what: 'cadence', paused: state.isCadencePaused })
  }

  #handle(state: AppState, app: number, what: string, release: Release, now: number): void {
    const version = nameOf(release)
    if (what === 'skip') {
      this.#close(state, release)
      this.#do(state, { at: now, app, what, version })
    } else if (what === 'kickoff' && !release.kickedOff) {
      release.kickedOff = true
      release.isActive = true
      this.#report(now, app, 'release.kickedOff', version, '')
      this.#do(state, { at: now, app, what, version })
    } else if (what === 'move') {
      const days = this.#chance.whole(1, 9) * (this.#chance.is(0.3) ? -1 : 1)
      for (const phase of PHASES) release.targets[phase] += days * DAY
      release.isArmed = armed(release.targets, now)
      release.held = {}
      release.waits = false
      this.#do(state, { at: now, app, what, version, targets: { ...release.targets } })
    }
  }

  #clearUp(state: AppState, app: number, release: Release, now: number): void {
    if (release.targets.release > now - DAY) return
    this.#close(state, release)
    const what = release.kickedOff ? 'complete' : 'skip'
    this.#do(state, { at: now, app, what, version: nameOf(release) })
  }

  #close(state: AppState, release: Release): void {
    state.open = state.open.filter((each) => each !== release)
    if (state.open.some(({ isActive }) => isActive)) return
    const [next] = [...state.open].sort((one, other) => one.version[1] - other.version[1])
    if (next) next.isActive = true
  }

  #freeze(state: AppState, app: number, now: number): void {
    const chance = this.#chance
    const kept = state.freezes.filter(({ endAt }) => endAt > now && chance.is(0.6))
    const startAt = Math.ceil(now / TICK) * TICK + chance.whole(-200, 2000) * TICK
    const added: Freeze = {
      name: `Freeze ${now}`,
      startAt,
      endAt: startAt + chance.whole(20, 1200) * TICK,
      phases: PHASES.filter((_, index) => index === 0 || chance.is(0.5)),
    }
    state.freezes = chance.is(0.8) ? [...kept, added] : kept
    this.#do(state, { at: now, app, what: 'freeze', freezes: state.freezes })
  }

  /** Immediate consequences have the same time. */
  #do(state: AppState, action: Deed): void {
    this.deeds.push(action)
    this.#work(state, action.app, action.at)
  }

  #report(at: number, app: number, type: string, version: string | null, more: string): void {
    this.happenings.push({ at: iso(at), app, type, version, more })
  }
}

const isHeld = ({ open }: AppState) => open.some(({ held }) => Object.keys(held).length > 0)

function isFrozen({ freezes }: AppState, phase: Phase, at: number): boolean {
  return freezes.some(
    ({ phases, startAt, endAt }) => phases.includes(phase) && startAt <= at && at < endAt
  )
}
