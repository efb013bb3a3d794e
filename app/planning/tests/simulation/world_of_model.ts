/*
 * The possessions of the simulated people, and the chance that decides. Nothing here, nor in the
 * model, imports the code of planning: the model is a second reading of its rules.
 */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Everything planned happens on a quarter of an hour; people act in between. */
export const TICK = 15 * MINUTE

export const iso = (time: number) => new Date(time).toISOString()

export type Phase = 'kickoff' | 'submit' | 'release'
export const PHASES: readonly Phase[] = ['kickoff', 'submit', 'release']

/** Random numbers from a seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<Each>(list: readonly Each[]): Each {
    return list[this.whole(0, list.length - 1)]
  }

  /** Draws with a probability from 0 to 1. */
  is(likely: number): boolean {
    return this.next() < likely
  }
}

export interface Moment {
  dayOffset: number
  time: string
}

/** An app with its cadence, as a request would set it. */
export interface SimulatedApp {
  platform: 'ios' | 'android' | 'react-native-ota'
  intervalWeeks: number
  startDate: string
  timezone: string
  targets: { kickoff: Moment; submit: Moment; release: Moment }
  skipFrozenDates: boolean
  draftWeeksAhead: number
  exceptions: { date: string; skipped: boolean; movedTo: string | null }[]
  /** By the place of the pilot in the rotation. */
  absences: { pilot: number; from: string; to: string }[]
  isAutomated: boolean
  runAfterFreeze: boolean
  leadTimeMinutes: Record<Phase, number>
}

export interface Freeze {
  name: string
  startAt: number
  endAt: number
  phases: Phase[]
}

/** An action of a person on one of the apps. */
export type Deed = { at: number; app: number } & (
  | { what: 'skip' | 'complete' | 'kickoff'; version: string }
  | { what: 'move'; version: string; targets: Record<Phase, number> }
  | { what: 'freeze'; freezes: Freeze[] }
  | { what: 'pause'; resumeAt: number }
  | { what: 'switch'; isOn: boolean; runAfterFreeze: boolean }
  | { what: 'cadence'; paused: boolean }
)

/** An entry that is expected in the records. */
export interface Happening {
  at: string
  app: number
  type: string
  /** Null if it belongs to no release. */
  version: string | null
  /** Additional text. */
  more: string
}

/** A time in which the service is down; its end is not part of it. */
export interface Outage {
  from: number
  to: number
}

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
]
const PLATFORMS = ['ios', 'android', 'react-native-ota', 'ios', 'android'] as const
/** Includes times that clocks skip or show twice. */
const TIMES = ['00:15', '02:00', '02:30', '09:00', '17:45', '23:30']

const dayAt = (time: number) => iso(time).slice(0, 10)

/** Returns a random app; each of the five is in another zone. */
export function someApp(index: number, start: number, chance: Chance): SimulatedApp {
  const moment = (from: number): Moment => ({
    dayOffset: chance.whole(from, from + 2),
    time: chance.pick(TIMES),
  })
  const intervalWeeks = chance.whole(3, 6)
  const startDate = dayAt(start + chance.whole(8, 20) * DAY)
  const begin = Date.parse(startDate)
  const slot = (count: number) => dayAt(begin + count * intervalWeeks * 7 * DAY)
  return {
    platform: PLATFORMS[index],
    intervalWeeks,
    startDate,
    timezone: ZONES[index],
    targets: { kickoff: moment(0), submit: moment(4), release: moment(8) },
    skipFrozenDates: index === 1 || chance.is(0.2),
    draftWeeksAhead: index === 0 ? 1 : chance.whole(1, 4),
    exceptions: [
      { date: slot(2), skipped: true, movedTo: null },
      { date: slot(4), skipped: false, movedTo: dayAt(Date.parse(slot(4)) + 3 * DAY) },
      { date: slot(7), skipped: false, movedTo: dayAt(Date.parse(slot(7)) - 4 * DAY) },
    ],
    absences: [
      { pilot: chance.whole(0, 2), from: slot(1), to: slot(5) },
      { pilot: chance.whole(0, 2), from: slot(4), to: slot(9) },
    ],
    isAutomated: index !== 3,
    runAfterFreeze: chance.is(0.7),
    leadTimeMinutes: {
      kickoff: chance.pick([15, 60, 1440]),
      submit: chance.pick([60, 1440]),
      release: chance.pick([15, 2880]),
    },
  }
}
