import {
  draw,
  type ConsoleAction,
  type Random,
  type StoreOptions,
  type Truth,
} from '../../../../examples/hostile-store/src/core/index.js'
import type { JudgedStore } from './journal.js'
import type { Decision } from './system.js'

/*
 * Scenarios by seed: a store, and steps. Each step has a meaning whatever came before, so any can
 * be left out.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export type Step =
  | {
      do:
        | 'decide'
        | 'begin'
        | 'beginStop'
        | 'arrive'
        | 'answer'
        | 'lose'
        | 'read'
        | 'readEnd'
        | 'console'
        | 'kill'
        | 'credentials'
        | 'outage'
        | 'freeze'
      chance: number
    }
  | { do: 'decideExactly'; decision: Decision }
  | { do: 'consoleExactly'; deed: ConsoleAction }
  | { do: 'pass'; milliseconds: number }
  /** The service works without mishaps. */
  | { do: 'calm'; milliseconds: number }

/** A step without random parts. */
export type Exact = Exclude<Step, { chance: number }>

export interface Scenario {
  seed: number
  options: StoreOptions
  steps: readonly Step[]
}

/** The versions that decisions are about, with their builds. */
const CAST: Readonly<Record<string, string>> = { '1.1.0': '110', '1.2.0': '120', '1.3.0': '130' }
const STARTS_AT = Date.parse('2026-03-02T08:00:00.000Z')

const WEIGHTS = {
  decide: 18,
  begin: 16,
  beginStop: 10,
  arrive: 16,
  answer: 14,
  lose: 3,
  read: 9,
  readEnd: 9,
  console: 4,
  kill: 3,
  credentials: 1,
  outage: 1,
  freeze: 1,
  pass: 18,
  calm: 5,
} as const
type Name = keyof typeof WEIGHTS

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]

function weighted<Item extends string>(
  weights: Readonly<Record<Item, number>>,
  random: Random
): Item {
  const entries = Object.entries(weights) as [Item, number][]
  let remaining = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    remaining -= weight
    if (remaining < 0) return name
  }
  return entries[0][0]
}

/** Returns the options of a seed's store. */
export function optionsOf(seed: number): StoreOptions {
  const chance = (label: string) => draw(seed, label)
  const kind = chance('kind') < 0.6 ? 'google' : 'apple'
  const builds = Object.values(CAST).map((build) => {
    const isLate = chance(`build ${build}`) < 0.05
    return [build, STARTS_AT - HOUR + (isLate ? 3 * HOUR : 0)] as const
  })
  return {
    kind,
    seed,
    startsAt: STARTS_AT,
    lagSeconds: [15, 60, 300, 900][Math.floor(chance('lag') * 4)],
    reviewMinutes: [5, 360],
    rejected: 0.12,
    live: chance('live') < 0.9 ? { version: '1.0.0', build: '100' } : null,
    builds: Object.fromEntries(builds),
    managed: chance('managed') < 0.2,
    sendByHand: chance('byHand') < 0.1,
    listsReplaced: chance('lists') < 0.5,
    flaky: 0.04,
  }
}

/** Returns the scenario of a seed. */
export function scenarioOf(seed: number, random: Random): Scenario {
  const options = optionsOf(seed)
  const steps: Step[] = random() < 0.85 ? prelude(options, random) : []
  const count = 20 + Math.floor(random() * 70)
  for (let index = 0; index < count; index += 1) steps.push(stepOf(random))
  return { seed, options, steps }
}

function stepOf(random: Random): Step {
  const name: Name = weighted(WEIGHTS, random)
  if (name === 'pass') return { do: name, milliseconds: someTime(random) }
  if (name === 'calm') return { do: name, milliseconds: Math.round(random() ** 2 * 10 * HOUR) }
  return { do: name, chance: Math.floor(random() * 2 ** 32) }
}

/** Draws a duration, from a millisecond to days. */
function someTime(random: Random): number {
  const size = random()
  if (size < 0.3) return 1 + Math.floor(random() * 1000)
  if (size < 0.6) return Math.round(random() * MINUTE)
  if (size < 0.88) return Math.round(random() * HOUR)
  if (size < 0.98) return Math.round(random() * 24 * HOUR)
  return Math.round(random() * 5 * 24 * HOUR)
}

/** Returns first steps: a version reaches users, and often the next one is in review. */
function prelude({ kind, managed }: StoreOptions, random: Random): Step[] {
  const decide = (decision: Decision): Step => ({ do: 'decideExactly', decision })
  const release = random() < 0.5 ? 'manual' : 'auto'
  const steps: Step[] = [
    decide(submission('1.1.0', kind, release, random)),
    { do: 'calm', milliseconds: 7 * HOUR },
  ]
  if (release === 'manual') {
    steps.push(decide({ version: '1.1.0', by: 'person', what: 'release' }))
    // A person is asked to publish, and may do so.
    if (kind === 'google' && managed && random() < 0.8) {
      steps.push({ do: 'calm', milliseconds: Math.round(random() * HOUR) })
      steps.push({ do: 'consoleExactly', deed: { what: 'release', version: '1.1.0' } })
    }
    steps.push({ do: 'calm', milliseconds: HOUR })
  }
  if (random() < 0.5) {
    steps.push(decide(submission('1.2.0', kind, pick(['manual', 'auto'], random), random)))
    steps.push({ do: 'calm', milliseconds: Math.round(random() * 40 * MINUTE) })
  }
  return steps
}

function submission(
  version: string,
  kind: StoreOptions['kind'],
  release: 'manual' | 'auto',
  random: Random
): Decision {
  const phased = random() < 0.85
  const fraction = phased && kind === 'google' ? pick([0.01, 0.05, 0.2], random) : undefined
  const build = { buildNumber: CAST[version], phased, release } as const
  const by = random() < 0.7 ? 'person' : 'policy'
  return { version, by, what: 'submit', ...build, ...(fraction === undefined ? {} : { fraction }) }
}

type Word = Decision['what']

/** Sensible decisions, by the state of the version. */
const PLAUSIBLE: readonly { states: readonly (Truth['state'] | 'none')[]; words: Word[] }[] = [
  {
    states: ['none', 'preparing', 'readyForReview', 'rejected', 'developerRejected'],
    words: ['submit', 'submit', 'submit', 'withdraw', 'close'],
  },
  {
    states: ['waitingForReview', 'inReview'],
    words: ['withdraw', 'withdraw', 'release', 'pause', 'pause', 'close'],
  },
  {
    states: ['pendingRelease'],
    words: ['release', 'release', 'release', 'withdraw', 'halt', 'stopTakeoff', 'close'],
  },
  {
    states: ['rolledOutPartially'],
    words: ['halt', 'pause', 'halt', 'pause', 'set', 'set', 'set', 'resume', 'complete', 'close'],
  },
  { states: ['halted'], words: ['resume', 'set', 'resume', 'halt', 'pause', 'complete'] },
  { states: ['live'], words: ['halt', 'pause', 'set', 'resume'] },
]
const WORDS: readonly Word[] = [
  'submit',
  'withdraw',
  'release',
  'pause',
  'halt',
  'resume',
  'complete',
  'set',
  'close',
  'stopTakeoff',
]

/** Draws a decision, mostly a sensible one. */
function someDecision(
  kind: StoreOptions['kind'],
  truthOf: (version: string) => Truth | null,
  random: Random
): Decision {
  const all = Object.keys(CAST)
  const rolling = all.filter((each) =>
    ['rolledOutPartially', 'halted'].includes(truthOf(each)?.state ?? '')
  )
  const there = all.filter((each) => truthOf(each))
  const choice = random()
  const likely = choice < 0.5 && rolling.length > 0 ? rolling : choice < 0.85 ? there : all
  const version = pick(likely.length > 0 ? likely : all, random)
  const state = truthOf(version)?.state ?? 'none'
  const sensible = PLAUSIBLE.find(({ states }) => states.includes(state))?.words
  const what = pick(sensible && random() < 0.9 ? sensible : WORDS, random)
  if (what === 'submit') {
    return submission(version, kind, pick(['manual', 'auto'], random), random)
  }
  if (what === 'pause' || what === 'halt') {
    return { version, what, by: pick(['person', 'person', 'guard', 'redButton'], random) }
  }
  if (what === 'set') {
    const percentage = pick([1, 2, 5, 10, 20, 25, 50, 75], random)
    return { version, what, percentage, by: pick(['person', 'policy'], random) }
  }
  return { version, what, by: pick(['person', 'person', 'policy'], random) }
}

const DEEDS = {
  halt: 4,
  resume: 4,
  set: 3,
  complete: 1,
  submit: 2,
  withdraw: 2,
  release: 3,
  remove: 0.5,
  reject: 1,
  send: 3,
  sendByHand: 1,
  submitOther: 4,
  publishOther: 2,
} as const

/** Draws an action of a person in the console. */
function someDeed(versions: readonly string[], random: Random): ConsoleAction {
  const what = weighted(DEEDS, random)
  const number = Math.floor(random() * 1000)
  switch (what) {
    case 'send':
      return { what }
    case 'sendByHand':
      return { what, on: random() < 0.6 }
    case 'submitOther':
      return { what, track: 'beta', version: `beta ${number}`, build: '50' }
    case 'publishOther': {
      const [version, build] = pick(
        [
          ['1.1.5', '115'],
          ['1.2.5', '125'],
        ] as const,
        random
      )
      return { what, version, build, ...(random() < 0.5 ? { fraction: 0.1 } : {}) }
    }
    default: {
      const version = versions.length > 0 ? pick(versions, random) : '1.1.0'
      if (what !== 'set') return { what, version }
      return { what, version, fraction: pick([0.02, 0.15, 0.3, 0.6], random) }
    }
  }
}

/** Draws a decision or an action in the console, as a step without random parts. */
export function exactly(what: 'decide' | 'console', store: JudgedStore, random: Random): Exact {
  if (what === 'console') {
    return { do: 'consoleExactly', deed: someDeed(store.versions, random) }
  }
  const truthOf = (version: string) => store.truth(version)
  return { do: 'decideExactly', decision: someDecision(store.kind, truthOf, random) }
}
