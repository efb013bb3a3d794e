import { Refusal } from './refusal.js'
import type { Rollout, Truth } from './vocabulary.js'

const DAY = 24 * 60 * 60_000
/** The share of users of automatic updates, by day. */
export const PHASES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const
export const PAUSE_DAYS = 30

/** The store, as far as phased releases need it. */
export interface PhasedHost {
  now: () => number
  known: (version: string) => Truth
  change: (version: string, change: Partial<Truth>) => void
  plan: (what: string, at: number, version: string) => void
  cancel: (version: string) => void
}

interface Clock {
  /** The rest of the day. */
  left: number
  /** The beginning of the day, or of the pause. */
  since: number
  paused: number
}

/** Apple's phased releases: seven days, and pauses of 30 days in all. */
export class PhasedReleases {
  readonly #clocks = new Map<string, Clock>()

  constructor(private readonly host: PhasedHost) {}

  begin(version: string): void {
    const now = this.host.now()
    this.#clocks.set(version, { left: DAY, since: now, paused: 0 })
    this.host.change(version, {
      state: 'rolledOutPartially',
      raw: 'READY_FOR_DISTRIBUTION',
      rollout: {
        mode: 'phased',
        state: 'active',
        fraction: PHASES[0],
        day: 1,
        startedAt: now,
        pausedDays: 0,
      },
      share: PHASES[0],
      stopped: false,
    })
    this.host.plan('day', now + DAY, version)
  }

  pause(version: string): void {
    const { rollout } = this.host.known(version)
    const clock = this.#clocks.get(version)
    if (!rollout || !clock || rollout.state === 'paused') return
    const now = this.host.now()
    const left = PAUSE_DAYS * DAY - clock.paused
    if (left <= 0) {
      throw new Refusal('preconditionFailed', 'pauseUsedUp', 'It was paused for 30 days already')
    }
    clock.left -= now - clock.since
    clock.since = now
    this.host.cancel(version)
    this.host.plan('pauseUsedUp', now + left, version)
    this.host.change(version, { rollout: { ...rollout, state: 'paused' }, stopped: true })
  }

  resume(version: string): void {
    const { rollout } = this.host.known(version)
    const clock = this.#clocks.get(version)
    if (!rollout || !clock || rollout.state !== 'paused') return
    const now = this.host.now()
    clock.paused += now - clock.since
    clock.since = now
    this.host.cancel(version)
    this.host.plan('day', now + clock.left, version)
    const pausedDays = Math.floor(clock.paused / DAY)
    this.host.change(version, {
      rollout: { ...rollout, state: 'active', pausedDays },
      stopped: false,
    })
  }

  nextDay(version: string): void {
    const { rollout } = this.host.known(version)
    const clock = this.#clocks.get(version)
    if (!rollout || !clock) return
    const day = (rollout.day ?? 1) + 1
    if (day >= PHASES.length) {
      this.complete(version)
      return
    }
    const now = this.host.now()
    Object.assign(clock, { left: DAY, since: now })
    const fraction = PHASES[day - 1]
    this.host.change(version, { rollout: { ...rollout, day, fraction }, share: fraction })
    this.host.plan('day', now + DAY, version)
  }

  complete(version: string): void {
    const { rollout } = this.host.known(version)
    this.host.cancel(version)
    this.host.change(version, {
      state: 'live',
      rollout: rollout && { ...rollout, state: 'complete', fraction: 1, day: PHASES.length },
      share: 1,
      stopped: false,
    })
  }

  /** Another version ends the phased release: Apple calls it complete, at the share that it had. */
  replace(version: string): void {
    const { rollout } = this.host.known(version)
    this.host.cancel(version)
    const ended: Rollout | null = rollout && { ...rollout, state: 'complete' }
    this.host.change(version, {
      state: 'replaced',
      raw: 'REPLACED_WITH_NEW_VERSION',
      rollout: ended,
    })
  }
}
