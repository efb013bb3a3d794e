import { isStop, liveIn } from '#rollouts/red_button'
import { addresses, addressOf } from '../addresses.js'
import { questionView } from '../components/question.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, Reader, Refused } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { appName } from '../words/names.js'
import { actorName } from '../words/plain.js'
import { inSentence } from '../words/times.js'
import { changeText, refusalOf } from './changed.js'
import type { PartAnswers, PairAnswers, ReleaseOfApp } from './read_pair.js'
import { redButtonOf } from './stops.view.js'

const PLATFORMS = { apple: 'iOS', google: 'Android' } as const

/** Returns the name of a release: that of its app with its version. */
const nameOf = ({ app, version }: ReleaseOfApp) => `${appName(app)} ${version}`

const addressOfRelease = ({ app, id }: ReleaseOfApp) =>
  addressOf(addresses.release, { appId: app.id, releaseId: id })

interface PairContext {
  /** The address of the page of the release. */
  base: string
  /** The entity tag of the release. */
  tag: string
  reader: Reader
  refused: Refused | null
}

/**
 * Returns the other release of the pair and the link to part them; without a pair, the form to join
 * one.
 */
export function pairOf({ pair, other, choices }: PairAnswers, { base, ...about }: PairContext) {
  const { reader, refused } = about
  if (pair) {
    const { takenOff } = pair
    return {
      joined: {
        name: other ? nameOf(other) : null,
        href: other && addressOfRelease(other),
        platform: PLATFORMS[pair.storeType],
        takeoff: takenOff
          ? `${actorName(takenOff.by)} started the takeoff of both ${inSentence(takenOff.at, reader)}.`
          : 'Nobody has started the takeoff of both.',
        part: reader.may('partReleases') ? `${base}/pair/part` : null,
      },
      form: null,
    }
  }
  if (!choices) return null
  const action = `${base}/pair`
  const state = new FormState(refused, action)
  return {
    joined: null,
    form: {
      action,
      tag: seenTag(about.tag, action, refused),
      isOpen: refused?.action === action,
      typed: state.text('releaseId'),
      fault: state.error('releaseId'),
      isManaged: state.has('managedPublishing', 'yes', false),
      choices: choices.map((each) => ({ id: each.id, name: nameOf(each) })),
    },
  }
}

/**
 * Returns the message for a release to join that was not found; null for other problems, which show
 * their own message.
 */
export const joinRefusal = ({ action, problem }: Refused, base: string): string | null =>
  action === `${base}/pair` && problem.code === 'not_found'
    ? 'There is no such release, or you may not see its app. Its id is that of its app and its version, such as acme:4.2.0.'
    : null

/**
 * Returns the other release with its red button, if it continues although this one was stopped.
 */
export function goesOnOf(
  { other }: PairAnswers,
  { rollout, reader }: { rollout: Parameters<typeof liveIn>[0]; reader: Reader }
) {
  if (!other || !liveIn(rollout).some(isStop)) return null
  const base = addressOfRelease(other)
  const pressing = { base, reader, stoppers: null, isFocused: false, release: null }
  const red = redButtonOf(other.rollout, pressing)
  if (red.state !== 'ready') return null
  return { name: nameOf(other), href: base, action: red.action }
}

/** Returns the view of the confirmation before a pair is separated. */
export function partView(
  { own, other, pair, tag, entry }: PartAnswers,
  { refused, reader, params }: Pick<PageCall, 'refused' | 'reader' | 'params'>
) {
  const action = addressOf(addresses.partPair, params)
  const changed = entry ? { actor: entry.actor, at: entry.occurredAt } : null
  const unseen = pair ? `the ${PLATFORMS[pair.storeType]} release of its pair` : null
  const from = other ? nameOf(other) : unseen
  return {
    ...questionView(null, {
      title: from === null ? `Separate ${nameOf(own)}` : `Separate ${nameOf(own)} from ${from}`,
      lines:
        from === null
          ? ['It goes out with no other release, so nothing would change.']
          : [
              'Afterwards, each needs its own takeoff.',
              'A joint takeoff that is pending is cancelled. Requests that a store has already received still stand.',
            ],
      ...{ action, tag, verb: 'Separate them', cancel: addressOf(addresses.release, params) },
    }),
    ...(refused && {
      refusal: refusalOf(refused.problem, changeText(changed, refused, reader)),
    }),
  }
}
