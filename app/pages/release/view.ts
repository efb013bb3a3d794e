import { addresses, addressOf } from '../addresses.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView } from '../frame/page.js'
import { initialsOf } from '../frame/places.js'
import { hueOf } from '../words/hues.js'
import { platformName, RELEASE_TYPES } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { withoutStop } from '../words/now.js'
import { localized } from '../words/obstacles.js'
import { sentenceOf } from '../words/sentence.js'
import { BUILD_STATUSES, PHASES, STEP_STATUSES, wordsOf } from '../words/statuses.js'
import { dayText, timeOf, timeText } from '../words/times.js'
import { isYours, namesOf } from '../words/who.js'
import type { CiBuild, Entry } from './answers.js'
import { itemsOf } from './items.view.js'
import type { ReleaseAnswers, ShownStep } from './read.js'
import { redButtonOf, storesOf } from './rollout.view.js'
import { actsOf } from './acts.js'

/** Seconds between polls, and while a store is asked for something. */
const USUAL_SECONDS = 5
const ASKING_SECONDS = 2

/** The sentence while a store is asked to stop: what was observed is that it has not. */
const STOPPING = {
  tone: 'bad',
  icon: 'loader',
  head: 'The rollout is being stopped.',
  rest: 'It reaches users until the store confirms.',
  detail: '',
} as const

type Call = Pick<PageCall, 'reader' | 'params' | 'query' | 'refused'>

/** The view of a release: why it does not move, the step that matters, and what comes next. */
export function releaseView(given: ReleaseAnswers, { reader, refused }: Call) {
  const held = localized(given.held, reader)
  const chosen = held.steps.find(({ id }) => id === given.chosen?.id) ?? null
  const answers = { ...given, held, chosen }
  const { app, release, rollout } = answers
  const base = addressOf(addresses.release, { appId: app.id, releaseId: release.id })
  const red = redButtonOf(rollout, base, reader)
  const phase = wordsOf(PHASES, release.phase)
  const name = `${release.version}${release.releaseName ? ` “${release.releaseName}”` : ''}`
  const isAsking = red.state === 'asking' || red.state === 'unconfirmed'
  return {
    title: `${red.state === 'stopped' ? 'Stopped · ' : ''}${release.version} · ${app.name}`,
    place: null,
    everySeconds: isAsking ? ASKING_SECONDS : USUAL_SECONDS,
    crumbs: crumbsOf(answers, reader),
    letter: [...app.name][0].toUpperCase(),
    hue: hueOf(app.appGroup ?? app.name),
    name,
    kind: RELEASE_TYPES[release.releaseType] ?? release.releaseType,
    phase,
    facts: factsOf(answers, reader),
    asOf: timeText(reader.now, reader),
    red,
    pause: pauseOf(answers, base, reader),
    sentence: isAsking
      ? { ...sentenceOf(held, reader.principal, reader), ...STOPPING }
      : sentenceOf(held, reader.principal, reader),
    automations:
      release.automationsPaused && reader.may('setAutomationPause')
        ? { action: addressOf(addresses.automations, { appId: app.id, releaseId: release.id }) }
        : null,
    warnings: held.whyNotMoving.warnings.map(({ message, who }) => ({
      text: message,
      who: namesOf(who),
      isYours: isYours(who, reader.principal),
    })),
    groups: groupsOf(answers, base),
    left: held.steps.filter(({ hidden }) => hidden).length,
    step: chosen && stepOf(chosen, answers, base, reader, refused),
    stores: storesOf(
      rollout,
      {
        version: release.version,
        before: 'version before',
        flagChanges: rollout?.flagChanges ?? [],
      },
      base,
      held.steps,
      reader
    ),
    next: held.whyNotMoving.next.map((move) => ({
      icon: nextIcon(move.what),
      text: withoutStop(move.message),
      time: timeOf(move.at, reader),
    })),
    fixes: answers.fixes.map((fix) => ({
      title: fix.title,
      note: `${fix.status} · ${fix.approvals.length} of ${counted(fix.requiredApprovals, 'approval')}`,
    })),
    issues: answers.issues.map((issue) => ({
      title: issue.title,
      note: [
        issue.status,
        issue.metrics?.userCount ? counted(issue.metrics.userCount, 'user') : null,
      ]
        .filter(Boolean)
        .join(' · '),
    })),
    entries: answers.entries.map((entry) => entryOf(entry, reader)),
    timeline: {
      href: addressOf(addresses.timeline, { appId: app.id, releaseId: release.id }),
      count: answers.entries[0]?.position ?? 0,
    },
    base,
  } satisfies PageView & Record<string, unknown>
}

function crumbsOf({ app, release }: ReleaseAnswers, reader: PageCall['reader']) {
  return {
    home: addressOf(addresses.home, { orgId: reader.principal.organization.id }),
    app: {
      name: `${app.name} ${platformName(app.platform)}`,
      href: addressOf(addresses.app, { appId: app.id }),
    },
    version: release.version,
  }
}

function factsOf({ release }: ReleaseAnswers, reader: PageCall['reader']) {
  const pilot = release.releasePilot?.name ?? release.releasePilot?.email
  const date = release.releasedAt
    ? `Released ${timeText(release.releasedAt, reader)}`
    : release.targetReleaseAt
      ? `Release planned ${timeText(release.targetReleaseAt, reader)}`
      : null
  return {
    pilot: pilot ? { initials: initialsOf(pilot), text: `${pilot}, pilot` } : null,
    branch: release.releaseBranch,
    build: release.selectedBuild
      ? `${release.selectedBuild.version} (${release.selectedBuild.buildNumber})`
      : null,
    date,
  }
}

/** Pausing the whole release, while anything of it rolls out. */
function pauseOf({ rollout }: ReleaseAnswers, base: string, reader: PageCall['reader']) {
  const states = (rollout?.stores ?? []).map(({ phased }) => phased.status)
  if (!reader.may('changeRollout')) return null
  if (states.includes('active')) return { action: `${base}/rollout`, does: 'pause', word: 'Pause' }
  return null
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
        status: wordsOf(STEP_STATUSES, step.status),
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

/** The key that leads to a step: brackets, from the one that is shown to its neighbours. */
function keyOf(steps: readonly ShownStep[], step: ShownStep, chosen: ShownStep | null) {
  const away = steps.indexOf(step) - steps.findIndex(({ id }) => id === chosen?.id)
  return away === -1 ? '[' : away === 1 ? ']' : null
}

/** Groups of the workflow under the names of their stage; neighbours of one stage are one. */
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
  if (rollout && rollout.state !== 'notStarted') return `${rollout.percentage} %`
  const { ready, total } = data as { ready?: number; total?: number }
  if (ready !== undefined && total !== undefined && total > 0) return `${ready}/${total}`
  return checklistItems.total > 0 ? `${checklistItems.done}/${checklistItems.total}` : ''
}

function stepOf(
  step: ShownStep,
  { items, run, release, storeBuilds, app }: ReleaseAnswers,
  base: string,
  reader: PageCall['reader'],
  refused: PageCall['refused']
) {
  const address = addressOf(addresses.step, {
    appId: app.id,
    releaseId: release.id,
    stepId: step.id,
  })
  const build = (run?.data.activeBuild ?? null) as CiBuild | null
  const texts = run?.data.localizations as { locale: string }[] | undefined
  return {
    id: step.id,
    name: step.name,
    type: step.type,
    status: wordsOf(STEP_STATUSES, step.status),
    since: step.statusChangedAt ? dayText(step.statusChangedAt, reader) : null,
    required: step.required,
    // A condition of an item stands at the item.
    unmet: step.unmet
      .filter(({ subject }) => !items.some(({ id }) => id === subject?.id))
      .map(({ message, who }) => ({
        text: withoutStop(message),
        who: namesOf(who),
        isYours: isYours(who, reader.principal),
      })),
    items: items.length > 0 ? itemsOf(items, address, reader, refused) : null,
    build: build && {
      number: build.buildIdentifier,
      status: wordsOf(BUILD_STATUSES, build.buildStatus),
      branch: build.branch,
      commit: build.commitHash.slice(0, 7),
      message: build.commitMessage?.split('\n')[0] ?? null,
      started: timeText(build.startedAt, reader),
      url: build.url && /^https?:/.test(build.url) ? build.url : null,
    },
    mayShip: reader.may('setSelectedBuilds') && release.submittedAt === null,
    storeBuilds: storeBuilds.map((each) => ({
      id: each.id,
      number: each.buildNumber,
      version: each.version,
      state: each.processingState.toLowerCase(),
      isSelected: each.selected,
    })),
    locales: texts ? texts.map(({ locale }) => locale).join(', ') : null,
    approved:
      run && 'approved' in run.data
        ? {
            is: run.data.approved === true,
            by: (run.data.decidedBy as { name: string } | null)?.name ?? null,
          }
        : null,
    run: step.stepRunId ?? '',
    destination: step.destinationId ?? '',
    acts: actsOf(step, release, address, reader),
    address,
    base,
  }
}

const NEXT_ICONS: Readonly<Record<string, IconName>> = {
  rolloutStage: 'trending-up',
  release: 'plane-takeoff',
  submit: 'store',
  branch: 'git-branch',
  kickoff: 'play',
}

const nextIcon = (what: string): IconName => NEXT_ICONS[what] ?? 'clock'

/** An entry of the timeline. */
export function entryOf({ id, title, occurredAt, actor }: Entry, reader: PageCall['reader']) {
  return {
    id,
    title,
    actor: actor.name,
    face:
      actor.type === 'user'
        ? { initials: initialsOf(actor.name), icon: null }
        : { initials: null, icon: actorIcon(actor.type) },
    time: timeOf(occurredAt, reader),
  }
}

const actorIcon = (type: string): IconName =>
  type === 'apiKey' ? 'key-round' : type === 'automation' ? 'bot' : 'store'
