import { STORE_NAMES } from '#apps/vocabulary'
import { earlier } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import {
  isAskedToGoOn,
  isAskedToStop,
  isStop,
  isStopped,
  isStoppedBefore,
  isRolling,
  isWhole,
  liveIn,
  redButtonIn,
} from '#rollouts/red_button'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import type { IconName } from '../frame/icon_names.js'
import type { Reader } from '../frame/page.js'
import { percentText } from '../words/numbers.js'
import { plainText } from '../words/plain.js'
import type { SentenceView } from '../words/sentence.js'
import { relativeText, secondsText, sinceText } from '../words/times.js'
import type { Release, Rollout } from './answers.js'

/** Names of stores within a sentence, after `in`. */
export const PLACES = { apple: 'the App Store', google: 'Google Play', ota: 'the channel' } as const
const placesOf = (stores: readonly RolloutInStore[]) =>
  stores.map(({ storeType }) => PLACES[storeType]).join(' and ')

/** A store is late if it has not confirmed a stop after more tries, or more time since the press. */
const USUAL_TRIES = 1
const USUAL_MS = 30 * SECOND

/** The red button and its progress, which is only what was observed in stores. */
export interface RedButtonView {
  state: 'ready' | 'asking' | 'unconfirmed' | 'stopped' | 'none'
  label: string
  icon: IconName
  /** The state, in one line. */
  note: string | null
  /** The effect of a press if no store can stop anything; else null. */
  does: string | null
  action: string
  /** True if the reader has signed in to press it, so that it gets the focus. */
  isFocused: boolean
  /** A sentence that names who may press it, if the reader may not. */
  who: string | null
}

/** Returns the stores in which all users can get it, and that are not asked to stop. */
const wholeIn = (rollout: Rollout | null) =>
  (rollout?.stores ?? []).filter((store) => isWhole(store) && !isAskedToStop(store))

/** Returns whether the rollout is stopped or paused in all stores; null if it goes on in any. */
export function standstillOf(rollout: Rollout | null): 'stopped' | 'paused' | null {
  const live = liveIn(rollout)
  if (live.length === 0 || !live.every(isStopped) || wholeIn(rollout).length > 0) return null
  return live.some(isStop) ? 'stopped' : 'paused'
}

interface Pressing {
  base: string
  reader: Reader
  /** The names of those who may press it, if the reader may not. */
  stoppers: string | null
  isFocused: boolean
  /** The release itself; null if only what its stores can stop matters. */
  release: Pick<Release, 'status' | 'automationsPaused'> | null
}

const DOES_WITHOUT_STORES =
  'No store has anything to stop now: the red button pauses its automations and opens a triage issue.'

/** Returns the red button of a release, as `redButtonIn` decides. */
export function redButtonOf(
  rollout: Rollout | null,
  { base, reader, stoppers, isFocused, release }: Pressing
): RedButtonView {
  const who = stoppers === null ? null : `${stoppers} may stop it.`
  const about = {
    icon: 'octagon-x',
    note: null,
    does: null,
    action: `${base}/redButton`,
    isFocused,
    who,
  } as const
  const none = { ...about, state: 'none', label: '' } as const
  if (!reader.may('pressRedButton')) return none
  const { state, stores } = redButtonIn(rollout, release)
  if (state === 'none') return none
  if (state === 'asking') return { ...about, ...askingOf(stores, reader) }
  if (state === 'stopped') {
    const seen = stores.flatMap(({ reached }) => reached.at(-1)?.at ?? []).sort()
    const at = seen.length > 0 ? ` ${secondsText(seen.at(-1)!, reader)}` : ''
    const names = stores.map(({ storeType }) => STORE_NAMES[storeType]).join(' and ')
    return { ...about, state: 'stopped', label: `Stopped${at}, confirmed by ${names}` }
  }
  const isBefore = stores.every(({ phased }) => phased.status === 'notStarted')
  const label = isBefore ? 'Stop the release' : 'Stop the rollout'
  const does = state === 'idle' ? DOES_WITHOUT_STORES : null
  return { ...about, state: 'ready', label, does }
}

function askingOf(requested: readonly RolloutInStore[], reader: Reader) {
  const notes = requested.map((store) => askedNote(store, reader))
  const isLate = notes.some((note) => note.isLate)
  return {
    state: isLate ? ('unconfirmed' as const) : ('asking' as const),
    label: 'Stopping…',
    icon: 'loader' as const,
    note: notes.map(({ text }) => text).join(' '),
  }
}

/** Describes an unconfirmed request to a store. */
function askedNote(store: RolloutInStore, reader: Reader) {
  const { tries, askedAt, retryAt, decidedAt, reason } = store.command!
  const name = STORE_NAMES[store.storeType]
  if (isStoppedBefore(store)) {
    const text = `It has not been seen to reach users in ${placesOf([store])}: if it goes out, it is stopped at once.`
    return { isLate: false, text }
  }
  // Only the last of several refused tries is known.
  const isLate =
    retryAt !== null || decidedAt < earlier(reader.now, USUAL_MS) || tries > USUAL_TRIES
  if (isLate) {
    // After `retryAt`, it is asked as soon as a worker is free.
    const when = retryAt && (retryAt > reader.now ? relativeText(retryAt, reader.now) : 'now')
    const again = retryAt ? ` It is asked again ${when ?? 'soon'}.` : ''
    const why = reason ? ` ${plainText(reason)}` : ''
    const times = tries > USUAL_TRIES ? `: asked ${tries} times` : ''
    return { isLate, text: `${name} has not confirmed yet${times}.${again}${why}` }
  }
  const began = askedAt
    ? `${name} was asked ${agoText(askedAt, reader)}.`
    : `${name} is asked next.`
  return { isLate, text: `${began} It is done when the store confirms.` }
}

/** Returns whether a store is asked to stop or to go on: the page polls more often then. */
export const isBeingAsked = (rollout: Rollout | null): boolean =>
  liveIn(rollout).some((store) => isAskedToStop(store) || isAskedToGoOn(store))

/**
 * Returns the sentence about a rollout that was stopped, paused or resumed, store by store: what was
 * asked, and what was observed. Null for any other rollout.
 */
export function stopSentence(
  rollout: Rollout | null,
  reader: Reader
): Omit<SentenceView, 'detail' | 'more'> | null {
  const live = liveIn(rollout)
  const requested = live.filter(isAskedToStop)
  const stopped = live.filter(isStopped)
  const resumed = live.filter(isAskedToGoOn)
  if (requested.length + stopped.length + resumed.length === 0) return null
  const whole = wholeIn(rollout)
  const reported = (rollout?.stores ?? []).filter(
    (each) => live.includes(each) || whole.includes(each)
  )
  const list = reported.length > 1 ? reported.map((store) => stateIn(store, reader)) : []
  const rolling = live.filter((store) => isRolling(store) && !requested.includes(store))
  const elsewhere = [
    rolling.length > 0 ? `It still reaches users in ${placesOf(rolling)}.` : '',
    whole.length > 0 ? `All users have it in ${placesOf(whole)}.` : '',
  ].filter(Boolean)
  if (requested.length > 0) {
    const hasStop = requested.some(isStop)
    const until =
      reported.length > 1
        ? `It reaches users in ${placesOf(requested)} until that is confirmed.`
        : 'It reaches users until the store confirms.'
    return {
      tone: hasStop ? 'bad' : 'warn',
      icon: 'loader',
      head: `The rollout is being ${hasStop ? 'stopped' : 'paused'}.`,
      rest: [until, ...elsewhere].join(' '),
      list,
    }
  }
  if (resumed.length > 0) {
    const where = resumed.length < reported.length ? ` in ${placesOf(resumed)}` : ''
    return {
      ...{ tone: 'warn', icon: 'loader', list },
      head: `${where ? 'It' : 'The rollout'} is being resumed${where}.`,
      rest: `More users may get it before ${resumed.length > 1 ? 'stores confirm' : 'the store confirms'}.`,
    }
  }
  const hasStop = stopped.some(isStop)
  const word = hasStop ? 'stopped' : 'paused'
  const look = {
    tone: hasStop ? ('bad' as const) : ('warn' as const),
    icon: hasStop ? ('octagon-x' as const) : ('pause' as const),
    list,
  }
  if (elsewhere.length > 0) {
    return { ...look, head: `It is ${word} in ${placesOf(stopped)}.`, rest: elsewhere.join(' ') }
  }
  const shares = [...new Set(stopped.map(({ phased }) => percentText(phased.percentage)))]
  return {
    ...look,
    head: `The rollout is ${word}${shares.length === 1 ? ` at ${shares[0]}` : ''}.`,
    rest: 'Users who have this version keep it. Nobody else gets it.',
  }
}

/** Returns the line about one store of several. */
function stateIn(store: RolloutInStore, reader: Reader): SentenceView['list'][number] {
  const { phased, storeType, observed } = store
  const name = STORE_NAMES[storeType]
  const share = percentText(phased.percentage)
  const reported = { isYours: false }
  if (isAskedToStop(store)) {
    const what = isStop(store) ? 'has yet to stop' : 'has yet to pause'
    return { ...reported, text: `${name} ${what} at ${share}`, who: askedText(store, reader) }
  }
  if (isAskedToGoOn(store)) {
    return {
      ...reported,
      text: `${name} has yet to resume from ${share}`,
      who: askedText(store, reader),
    }
  }
  const seen = observed ? `confirmed ${agoText(observed.beganAt, reader)}` : 'not confirmed'
  if (isWhole(store))
    return { ...reported, text: `${name} has rolled it out to all users`, who: seen }
  if (!isStopped(store)) return { ...reported, text: `${name} rolls out at ${share}`, who: seen }
  const word = isStop(store) ? 'stopped' : 'paused'
  return { ...reported, text: `${name} is ${word} at ${share}`, who: seen }
}

function askedText({ command }: RolloutInStore, reader: Reader): string {
  const { askedAt } = command!
  return `${askedAt ? `asked ${agoText(askedAt, reader)}` : 'asked next'}, not confirmed`
}

/**
 * Returns the word of the button that resumes all stopped rollouts at once; null while anything rolls
 * out or cannot be resumed.
 */
export function resumeOf(rollout: Rollout | null) {
  const live = liveIn(rollout)
  if (live.length === 0 || !live.every((store) => isStopped(store) && store.resume)) return null
  const shares = [...new Set(live.map(({ resume }) => percentText(resume!.percentage)))]
  return shares.length === 1 ? `Resume at ${shares[0]}` : 'Resume'
}

/** Returns how long ago something was: `2 s ago`, `3 days ago`; never a time in the future. */
export const agoText = (at: string, { now }: Reader) =>
  at >= now ? 'just now' : (relativeText(at, now) ?? `${sinceText(at, now)} ago`)
