import { isRolling } from '#rollouts/red_button'
import { hasRetrospective } from '../retrospective/view.js'
import { addresses, addressOf } from '../addresses.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { initialsOf } from '../frame/places.js'
import { shortHash } from '../words/commits.js'
import { hueOf } from '../words/hues.js'
import { appName, RELEASE_TYPES } from '../words/names.js'
import { counted, percentText } from '../words/numbers.js'
import { withoutStop } from '../words/now.js'
import { localized } from '../words/obstacles.js'
import { actorName, entryTitle } from '../words/plain.js'
import { sentenceOf } from '../words/sentence.js'
import {
  FIX_STATUSES,
  ISSUE_STATUSES,
  PHASES,
  ROLLOUT_STATES,
  STEP_STATUSES,
  statusLabel,
} from '../words/statuses.js'
import { inSentence, timeOf, timeText } from '../words/times.js'
import { isYours, namesOf, within } from '../words/who.js'
import { STOP } from '../session/stop.js'
import type { Entry, Fix, ShownStep } from './answers.js'
import { changeText, refusalOf } from './changed.js'
import { actionOf } from './items.view.js'
import { goesOnOf, joinRefusal, pairOf } from './pair.view.js'
import { storeOfStep } from './held.js'
import type { ReleaseAnswers } from './read.js'
import { storesOf } from './rollout.view.js'
import { webAddress } from './steps/build.view.js'
import { isBeingAsked, redButtonOf, resumeOf, standstillOf, stopSentence } from './stops.view.js'
import { stepOf } from './step.view.js'
import { tagOf } from './tags.js'

/** Seconds between polls, usually and while a store is asked for something. */
const USUAL_SECONDS = 5
const ASKING_SECONDS = 2

/** The status of a release whose rollout is paused or stopped. */
const STOPPED = {
  paused: ROLLOUT_STATES.paused,
  stopped: { ...ROLLOUT_STATES.halted, word: 'Stopped' },
} as const

/** The most fixes, and the most issues, that are listed. */
const MAX_LISTED = 10

type Call = Pick<PageCall, 'reader' | 'params' | 'query' | 'refused'>

/**
 * Returns the view of a release: why it does not move, the step that matters, and what comes next.
 */
export function releaseView(given: ReleaseAnswers, { reader, refused, query, params }: Call) {
  const held = localized(given.held, reader)
  const chosen = held.steps.find(({ id }) => id === given.chosen?.id) ?? null
  const answers = { ...given, held, chosen }
  const { app, release, rollout } = answers
  const base = addressOf(addresses.release, { appId: app.id, releaseId: release.id })
  const red = redButtonOf(rollout, {
    ...{ base, reader, stoppers: answers.stoppers },
    isFocused: query.to === STOP,
    release,
  })
  const phase = statusLabel(PHASES, release.phase)
  const name = `${release.version}${release.releaseName ? ` “${release.releaseName}”` : ''}`
  // In the API, the phase of a stopped release is still `rollingOut`.
  const still = release.status === 'active' ? standstillOf(rollout) : null
  const stop = still && STOPPED[still]
  return {
    title: `${stop ? `${stop.word} · ` : ''}${release.version} · ${app.name}`,
    place: null,
    pollSeconds: isBeingAsked(rollout) ? ASKING_SECONDS : USUAL_SECONDS,
    ...(refused && {
      refusal:
        joinRefusal(refused, base) ??
        refusalOf(refused.problem, whatChanged(answers, refused, reader)),
    }),
    // Forms lead back to the step that the reader has chosen.
    ...(params.stepId && { carries: { step: params.stepId } }),
    crumbs: crumbsOf(answers, reader),
    letter: [...app.name][0].toUpperCase(),
    hue: hueOf(app.appGroup ?? app.name),
    name,
    kind: RELEASE_TYPES[release.releaseType] ?? release.releaseType,
    phase: stop ?? phase,
    facts: factsOf(answers, reader),
    asOf: timeText(reader.now, reader),
    red,
    goesOn: goesOnOf(answers.paired, { rollout, reader }),
    pair: pairOf(answers.paired, { base, tag: answers.tags.release, reader, refused }),
    steer: steerOf(answers, base, reader, refused),
    sentence: sentenceIn(answers, reader),
    automations:
      release.automationsPaused && reader.may('setAutomationPause')
        ? { action: addressOf(addresses.automations, { appId: app.id, releaseId: release.id }) }
        : null,
    warnings: held.whyNotMoving.warnings.map(({ message, who }) => ({
      text: message,
      who: `Waiting for ${isYours(who, reader.principal) ? 'you' : within(namesOf(who))}.`,
      isYours: isYours(who, reader.principal),
    })),
    groups: groupsOf(answers, base),
    left: held.steps.filter(({ hidden }) => hidden).length,
    step: chosen && stepIn(chosen, answers, { base, reader, refused, query }),
    stores: storesOf(
      rollout,
      {
        version: release.version,
        before: 'version before',
        flagChanges: rollout?.flagChanges ?? [],
      },
      { base, steps: held.steps, tags: answers.tags, reader, refused }
    ),
    next: held.whyNotMoving.next.map((move) => ({
      icon: nextIcon(move.what),
      text: withoutStop(move.message),
      time: timeOf(move.at, reader),
      who: move.who
        ? `Waiting for ${isYours(move.who, reader.principal) ? 'you' : within(namesOf(move.who))}.`
        : null,
    })),
    work: workOf(answers, base, reader),
    entries: answers.entries.map((entry) => entryOf(entry, reader)),
    timeline: {
      href: addressOf(addresses.timeline, { appId: app.id, releaseId: release.id }),
      count: answers.entries[0]?.position ?? 0,
      text: counted(answers.entries[0]?.position ?? 0, 'entry', 'entries'),
    },
    retrospective: hasRetrospective(release)
      ? addressOf(addresses.retrospective, { appId: app.id, releaseId: release.id })
      : null,
    share: reader.may('createReleaseLink')
      ? addressOf(addresses.links, { appId: app.id, releaseId: release.id })
      : null,
    base,
  } satisfies PageView & Record<string, unknown>
}

function crumbsOf({ app, release }: ReleaseAnswers, reader: PageCall['reader']) {
  return {
    home: addressOf(addresses.home, { orgId: reader.principal.organization.id }),
    app: {
      name: appName(app),
      href: addressOf(addresses.app, { appId: app.id }),
    },
    version: release.version,
  }
}

function factsOf({ release }: ReleaseAnswers, reader: PageCall['reader']) {
  const pilot = release.releasePilot?.name ?? release.releasePilot?.email
  const planned = release.targetReleaseAt
    ? `Release planned ${inSentence(release.targetReleaseAt, reader)}`
    : null
  return {
    pilot: pilot ? { initials: initialsOf(pilot), text: `${pilot}, pilot` } : null,
    branch: release.releaseBranch,
    build: release.selectedBuild
      ? `${release.selectedBuild.version} (${release.selectedBuild.buildNumber})`
      : null,
    date: release.releasedAt ? `Released ${inSentence(release.releasedAt, reader)}` : planned,
  }
}

/** Returns the button that pauses the rollout in all stores, or resumes it. */
function steerOf(
  { rollout, tags }: ReleaseAnswers,
  base: string,
  reader: PageCall['reader'],
  refused: PageCall['refused']
) {
  if (!reader.may('changeRollout')) return null
  const action = `${base}/rollout`
  const resume = resumeOf(rollout)
  if (resume) {
    const tag = seenTag(tagOf('changeRollout', tags, null), action, refused)
    return { action, does: 'resume', word: resume, icon: 'play' as IconName, look: 'go', tag }
  }
  if (!rollout?.stores.some(isRolling)) return null
  // Without a tag, a pause is never refused because of other changes.
  return { action, does: 'pause', word: 'Pause', icon: 'pause' as IconName, look: '', tag: null }
}

/** Returns the card of a step; null for a rollout if the cards of its stores say everything. */
function stepIn(...given: Parameters<typeof stepOf>) {
  const [step, { rollout }] = given
  const shown = stepOf(...given)
  const isReported = (storeOfStep(rollout, step)?.phased.status ?? 'notStarted') !== 'notStarted'
  const isEmpty = shown.unmet.length + shown.acts.length === 0 && shown.items === null
  return step.type === 'rollout' && isReported && isEmpty ? null : shown
}

/**
 * Returns the sentence why it does not move; about a stopped or paused rollout, what was observed.
 */
function sentenceIn({ held, rollout }: ReleaseAnswers, reader: PageCall['reader']) {
  const sentence = sentenceOf(held, reader.principal, reader)
  const stopped = stopSentence(rollout, reader)
  if (stopped === null) return sentence
  // While a store is asked, nobody has to act.
  const isWaiting = isBeingAsked(rollout) || held.status !== 'active'
  const detail = isWaiting ? '' : sentence.detail
  return { ...sentence, more: 0, ...stopped, detail }
}

/** Returns whether a reader may approve a fix, as far as the page can tell. */
function isApprovable(fix: Fix, reader: PageCall['reader']): boolean {
  const { status, approvals, wayIn, mergesCommit, fourEyes, requester } = fix
  if (status !== 'pending' || !reader.may('approveFixRequest')) return false
  // The approval of a merge is for a commit, so the commit must be known.
  if (wayIn === 'backMerge' && mergesCommit === null) return false
  const isReader = ({ id }: { id: string }) => id === reader.principal.actor.id
  return !(fourEyes && isReader(requester)) && !approvals.some(({ user }) => isReader(user))
}

/** Fixes and issues of the release, the open ones first. */
function workOf(
  { release, fixes, issues, isAllIssues }: ReleaseAnswers,
  base: string,
  reader: PageCall['reader']
) {
  const isOpenFix = ({ status }: Fix) => status === 'pending' || status === 'failed'
  const shownFixes = fixes
    .toSorted((one, other) => Number(isOpenFix(other)) - Number(isOpenFix(one)))
    .map((fix) => ({
      title: fix.title,
      status: statusLabel(FIX_STATUSES, fix.status),
      note: [
        `${fix.approvals.length} of ${counted(fix.requiredApprovals, 'approval')}`,
        // An approval is for this commit only.
        ...(fix.mergesCommit === null ? [] : [`merges ${shortHash(fix.mergesCommit)}`]),
      ].join(' · '),
      href: null,
      approve:
        release.status === 'active' && isApprovable(fix, reader)
          ? {
              id: `approve-${fix.id}`,
              action: `${base}/fixRequest/${encodeURIComponent(fix.id)}/approve`,
              tag: fix.tag,
            }
          : null,
    }))
  const shownIssues = issues.map(({ title, status, metrics, sourceUrl }) => ({
    title,
    status: statusLabel(ISSUE_STATUSES, status),
    note: metrics?.userCount ? counted(metrics.userCount, 'user') : '',
    href: webAddress(sourceUrl),
    approve: null,
  }))
  if (shownFixes.length + shownIssues.length === 0) return null
  const rows = [...shownFixes.slice(0, MAX_LISTED), ...shownIssues.slice(0, MAX_LISTED)]
  const folded = [...shownFixes.slice(MAX_LISTED), ...shownIssues.slice(MAX_LISTED)]
  return {
    count: [
      fixes.length > 0 ? counted(fixes.length, 'fix', 'fixes') : null,
      issues.length > 0 ? counted(issues.length, 'open issue') : null,
    ]
      .filter(Boolean)
      .join(', '),
    rows,
    folded,
    foldedText: `${folded.length} more`,
    note: isAllIssues ? null : 'Only the newest 1,000 open issues are listed.',
  }
}

/** Says who has changed the subject of a form since the reader saw it. */
function whatChanged(
  { items, entries }: ReleaseAnswers,
  refused: NonNullable<PageCall['refused']>,
  reader: PageCall['reader']
) {
  const item = items.find(({ id }) => refused.action.endsWith(actionOf(id)))
  const { updatedBy: by, updatedAt: at } = item?.status ?? {}
  const [entry] = entries
  const change =
    by && at ? { actor: by, at } : entry && { actor: entry.actor, at: entry.occurredAt }
  return changeText(change ?? null, refused, reader)
}

function groupsOf({ held, chosen, app, release }: ReleaseAnswers, base: string) {
  const shown = held.steps.filter(({ hidden }) => !hidden)
  return stagesOf(shown).map(({ title, steps }) => {
    const done = steps.filter(({ status }) => status === 'complete').length
    return {
      title,
      count: `${done} of ${steps.length}`,
      steps: steps.map((step) => ({
        name: step.name,
        status: statusLabel(STEP_STATUSES, step.status),
        note: noteOf(step),
        href: addressOf(addresses.step, {
          appId: app.id,
          releaseId: release.id,
          stepId: step.id,
        }),
        isHere: step.id === chosen?.id,
        key: keyOf(shown, step, chosen),
        base,
      })),
    }
  })
}

/** Returns the keyboard shortcut of a step: brackets lead from the shown step to its neighbours. */
function keyOf(steps: readonly ShownStep[], step: ShownStep, chosen: ShownStep | null) {
  const distance = steps.indexOf(step) - steps.findIndex(({ id }) => id === chosen?.id)
  if (distance === -1) return '['
  return distance === 1 ? ']' : null
}

/** Groups steps by stage, in their order; neighbours of the same stage share a group. */
function stagesOf(steps: readonly ShownStep[]) {
  const stages: { title: string; steps: ShownStep[] }[] = []
  for (const step of steps) {
    const title = STAGES[step.type] ?? 'Start'
    if (stages.at(-1)?.title === title) stages.at(-1)!.steps.push(step)
    else stages.push({ title, steps: [step] })
  }
  return stages
}

/** Stages of a release, by the archetype of a step. */
const STAGES: Readonly<Record<string, string>> = {
  kickoff: 'Start',
  featureReadiness: 'Start',
  translations: 'Start',
  rollbackBuild: 'Test',
  releaseCandidate: 'Test',
  regressionTesting: 'Test',
  betaTesting: 'Test',
  screenshots: 'Sign off',
  metadata: 'Sign off',
  approvals: 'Sign off',
  submission: 'Store',
  storeReview: 'Store',
  takeoff: 'Users',
  rollout: 'Users',
}

function noteOf({ rollout, checklistItems, data }: ShownStep): string {
  if (rollout && rollout.state !== 'notStarted') return percentText(rollout.percentage)
  const { ready, total } = data as { ready?: number; total?: number }
  if (ready !== undefined && total !== undefined && total > 0) return `${ready}/${total}`
  return checklistItems.total > 0 ? `${checklistItems.done}/${checklistItems.total}` : ''
}

const NEXT_ICONS: Readonly<Record<string, IconName>> = {
  rolloutStage: 'trending-up',
  release: 'plane-takeoff',
  submit: 'store',
  branch: 'git-branch',
  kickoff: 'play',
}

const nextIcon = (what: string): IconName => NEXT_ICONS[what] ?? 'clock'

/** Returns the view of a timeline entry. */
export function entryOf(entry: Entry, reader: PageCall['reader']) {
  const { id, occurredAt, actor } = entry
  return {
    id,
    title: entryTitle(entry),
    actor: actorName(actor),
    face:
      actor.type === 'user'
        ? { initials: initialsOf(actor.name), icon: null }
        : { initials: null, icon: actorIcon(actor.type) },
    time: timeOf(occurredAt, reader),
  }
}

const ACTOR_ICONS: Readonly<Record<string, IconName>> = { apiKey: 'key-round', automation: 'bot' }

const actorIcon = (type: string): IconName => ACTOR_ICONS[type] ?? 'store'
