import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Hold } from '../engine/held_by.js'

/** The thing that a release waited for from an instant on. */
export interface HeldSince {
  since: Instant
  hold: Hold
}

/** A period in which a release waited for one thing. */
export interface HeldSpan {
  from: Instant
  to: Instant
  /** Null if it was not recorded. */
  hold: Hold | null
}

/** Splits the whole period into spans, each with the hold of that time. */
export function spansOf(
  held: readonly HeldSince[],
  { from, to }: { from: Instant; to: Instant }
): HeldSpan[] {
  const ordered = [...held].sort((one, other) => compareTexts(one.since, other.since))
  const begins = [{ since: from, hold: null }, ...ordered]
  return begins.flatMap(({ since, hold }, index) => {
    const begun = since < from ? from : since
    const next = begins[index + 1]?.since ?? to
    const ended = next > to ? to : next
    return begun < ended ? [{ from: begun, to: ended, hold }] : []
  })
}

/** The time in milliseconds that a release waited for a step or another thing, and for whom. */
export interface WaitedForStep {
  step: Hold['step']
  name: string
  waited: number
  /** The same time by the people who could act, the longest first. */
  by: { who: Hold['who']; waited: number }[]
}

/** Names of things other than steps that releases wait for, by the code of the condition. */
const NAMES: Readonly<Partial<Record<Hold['code'], string>>> = {
  release_skipped: 'Skipped',
  cherry_pick_open: 'Commits to be picked',
  cherry_pick_failed: 'Commits to be picked',
  pair_waits: 'The other release of its pair',
}
const AUTOMATION_HOLDS = { freeze: 'Freeze', pause: 'Paused automations' } as const

/** Returns the name of the step, or of the other thing that a release waits for. */
export function nameOfHold(hold: Hold | null): string {
  if (hold === null) return 'Not recorded'
  return hold.step?.name ?? (hold.by && AUTOMATION_HOLDS[hold.by]) ?? NAMES[hold.code] ?? 'Other'
}

/** Prefix of the keys of other things. No id of a step begins with it. */
const NO_STEP = ' '

/** Returns the key of a step, which is its id, or of another thing, which follows from its name. */
export const keyOf = ({ step, name }: Pick<WaitedForStep, 'step' | 'name'>): string =>
  step?.stepConfigId ?? NO_STEP + name

/** Returns whether a key is of a step. */
export const isOfStep = (key: string): boolean => !key.startsWith(NO_STEP)

/** Sums up spans by step, in the order of their first appearance. */
export function waitedPerStep(spans: readonly HeldSpan[]): WaitedForStep[] {
  const placed = spans.map((span) => ({
    ...span,
    step: span.hold?.step ?? null,
    name: nameOfHold(span.hold),
  }))
  return [...Map.groupBy(placed, keyOf).values()].map((own) => {
    const byWho = Map.groupBy(own, ({ hold }) => JSON.stringify(hold?.who ?? []))
    const { step, name } = own.at(-1)!
    return {
      ...{ step, name, waited: lengthOf(own) },
      by: [...byWho]
        .map(([who, some]) => ({ who: JSON.parse(who) as Hold['who'], waited: lengthOf(some) }))
        .sort((one, other) => other.waited - one.waited),
    }
  })
}

const lengthOf = (spans: readonly HeldSpan[]) =>
  spans.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)

/** Returns the median of values; null for none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
}

/** Converts milliseconds to hours with two decimals. */
export const inHours = (milliseconds: number): number =>
  Math.round((100 * milliseconds) / HOUR) / 100
