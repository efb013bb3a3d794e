import { type Moment, type Truth } from '../../../../examples/hostile-store/src/core/index.js'
import { authorAt, heldIn, isWhereWanted, knownSince } from './evidence.js'
import { isRollout, isStop, type Decided, type Journal, type Said } from './journal.js'
import type { Finding, Rule } from './finding.js'
import type { Announcement, Decision } from './system.js'

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>

/** A rejected version that a call prepares stays rejected: it reached no goal yet. */
const REJECTED = ['rejected', 'metadataRejected', 'invalidBinary']

/** Rule: announcements are true, and name nobody who did not act. */
export function judgeWords(journal: Journal): Finding[] {
  const adopted = new Map<string, number>()
  return journal.said.flatMap((said) => {
    const { announcement } = said
    switch (announcement.kind) {
      case 'shown':
        return judgeShown(journal, said, announcement)
      case 'fulfilled':
        return judgeFulfilled(journal, said, announcement)
      case 'failed':
        return judgeFailed(journal, said, announcement)
      case 'intention':
        return judgeIntention(journal, said, announcement)
      case 'adopted': {
        const count = (adopted.get(announcement.version) ?? 0) + 1
        adopted.set(announcement.version, count)
        return judgeAdopted(journal, said, announcement, count)
      }
      default:
        return []
    }
  })
}

const finding = (rule: Rule, { order, at }: Said, what: string): Finding => ({
  rule,
  order,
  at,
  what,
})

function judgeShown(journal: Journal, said: Said, shown: Of<'shown'>): Finding[] {
  const since = knownSince(journal, shown.version, said.order)
  const held = since === null ? [] : heldIn(journal, shown.version, since, said.at)
  const isShown = held.some(({ truth }) => matches(truth, shown))
  // As far as anybody knows, a version that is no longer listed ended at its last observation.
  const isEnded = shown.state === 'replaced' && held.some(({ truth }) => truth.state === 'replaced')
  if (isEnded ? held.some(({ truth }) => isAtShare(truth, shown)) : isShown) return []
  const states = held.map(({ truth }) => wordsFor(truth)).join(', ') || 'unknown'
  return [
    finding(
      'announced is true',
      said,
      `${shown.version} is announced as ${shown.state}, ${shown.rolloutState}, ${shown.percentage} %; since the newest evidence it was ${states}`
    ),
  ]
}

const wordsFor = ({ state, rollout, share }: Truth) =>
  `${state}/${rollout?.state ?? 'none'}/${share * 100} %`

function matches({ state, rollout, share }: Truth, shown: Of<'shown'>): boolean {
  // An unknown state is described only by its rollout.
  if (shown.state !== state && shown.state !== 'unknown') return false
  if (shown.rolloutState !== null && shown.rolloutState !== rollout?.state) return false
  return isAtShare({ share, rollout }, shown)
}

function isAtShare({ share, rollout }: Pick<Truth, 'share' | 'rollout'>, shown: Of<'shown'>) {
  const shares = [share, ...(rollout?.fraction === undefined ? [] : [rollout.fraction])]
  return (
    shown.percentage === null ||
    shares.some((each) => Math.abs(each * 100 - shown.percentage!) < 0.01)
  )
}

function judgeFulfilled(journal: Journal, said: Said, fulfilled: Of<'fulfilled'>): Finding[] {
  const { version, generation } = fulfilled
  const decided = journal.decided.find((each) => each.generation === generation)
  if (!decided || decided.decision.version !== version || decided.order > said.order) {
    return [finding('announced is true', said, `Nobody decided generation ${generation}`)]
  }
  const later = journal.decided.find(
    (each) =>
      each.generation !== null &&
      each.order > decided.order &&
      each.order < said.order &&
      supersedes(each.decision, decided.decision)
  )
  if (later) {
    const what = `${version}: ${decided.decision.what} is announced as done after ${later.decision.what} was decided`
    return [finding('superseded is silent', said, what)]
  }
  return isEvident(journal, said, decided)
    ? []
    : [
        finding(
          'announced is true',
          said,
          `${version}: ${decided.decision.what} is announced as done, which no evidence shows`
        ),
      ]
}

/**
 * Rule: a decision is not announced as failed if, as far as anybody can know, our call reached its
 * goal. If the store or a person reached it, the call may be refused for that.
 */
function judgeFailed(
  journal: Journal,
  said: Said,
  { version, generation }: Of<'failed'>
): Finding[] {
  const decided = journal.decided.find((each) => each.generation === generation)
  if (!decided || decided.decision.version !== version) {
    return [finding('announced is true', said, `Nobody decided generation ${generation}`)]
  }
  const since = knownSince(journal, version, said.order)
  const held = since === null ? [] : heldIn(journal, version, since, said.at)
  const { decision } = decided
  const isThere = held.length > 0 && held.every(({ truth }) => isWhereWanted(decision, truth))
  const isOurs = ({ at, by, truth }: Moment) =>
    at >= decided.at && by.who === 'us' && !REJECTED.includes(truth.state)
  const isDone = isThere && held.some(isOurs)
  // A store that cannot be read is reported as a failure.
  const isBefore = ({ order }: { order: number }) => order < said.order
  const lastRead = journal.observations.findLast(isBefore)?.order ?? 0
  const isUnread = (journal.failedReads.findLast(isBefore)?.order ?? 0) > lastRead
  if (!isDone || isUnread) return []
  const what = `${version}: ${decision.what} is said to have failed, and the store shows it`
  return [finding('announced is true', said, what)]
}

function isEvident(journal: Journal, said: Said, { decision, at }: Decided): boolean {
  const since = knownSince(journal, decision.version, said.order) ?? at
  const held = heldIn(journal, decision.version, Math.max(since, at), said.at)
  if (held.length === 0) return isWhereWanted(decision, null)
  return held.some(({ truth }) => isWhereWanted(decision, truth))
}

/** Returns whether a later decision replaces an earlier one that it contradicts. */
function supersedes(later: Decision, earlier: Decision): boolean {
  if (later.version !== earlier.version) return false
  if (later.what === 'stopTakeoff') return earlier.what === 'release'
  if (later.what === 'close') return !isStop(earlier) && earlier.what !== 'withdraw'
  if (isRollout(later) !== isRollout(earlier)) return false
  if (isRollout(later)) return true
  return later.what === 'release' ? earlier.what === 'withdraw' : true
}

function judgeIntention(journal: Journal, said: Said, intention: Of<'intention'>): Finding[] {
  const isDecided = journal.decided.some(
    ({ generation, decision, order }) =>
      generation !== null &&
      order < said.order &&
      decision.version === intention.version &&
      decision.by === intention.by
  )
  if (isDecided) return []
  const what = `${intention.version}: ${intention.what} is announced of ${intention.by}, who decided nothing`
  return [finding('nobody is named wrongly', said, what)]
}

function judgeAdopted(
  journal: Journal,
  said: Said,
  { version, named, what }: Of<'adopted'>,
  count: number
): Finding[] {
  if (named !== null) {
    return [finding('nobody is named wrongly', said, `${named} is named for ${what} of ${version}`)]
  }
  const history = journal.store.history(version)
  const isOutside = (each: Moment) => authorAt(history, each).who !== 'us'
  const outside = history.filter(
    (each) => isOutside(each) && each.at <= said.at && each.at >= journal.startedAt
  )
  const since = knownSince(journal, version, said.order)
  const held = since === null ? [] : heldIn(journal, version, since, said.at)
  if (held.some(isOutside) && count <= outside.length) return []
  const text = `${version}: ${what} is adopted (${count} times), but it was changed outside ${outside.length} times`
  return [finding('adopted is from outside', said, text)]
}
