import { compareTexts } from '../../foundation/core/compare_texts.js'
import type {
  AutomationEntity,
  AutomationPauseStateEntity,
  ReleaseScheduleEntryEntity,
} from '#planning/entities'
import { addresses, addressOf } from '../addresses.js'
import { headOf, type NamedApp } from '../app/head.js'
import { fieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { appName } from '../words/names.js'
import { inSentence } from '../words/times.js'

export interface AutomationsAnswers {
  app: NamedApp
  automations: readonly AutomationEntity[]
  pause: AutomationPauseStateEntity
  /** The releases of the next twelve weeks, by date. */
  schedule: readonly ReleaseScheduleEntryEntity[]
}

type Call = Pick<PageCall, 'reader' | 'refused'>

/** Returns the view of the automations of an app. */
export function automationsView(
  { app, automations, pause, schedule }: AutomationsAnswers,
  { reader, refused }: Call
) {
  const action = addressOf(addresses.appAutomations, { appId: app.id })
  const pauseAction = addressOf(addresses.appPause, { appId: app.id })
  const state = new FormState(refused, pauseAction)
  const rowsOf = (isScheduled: boolean) =>
    automations
      .filter(({ scheduled }) => scheduled === isScheduled)
      .map((each) => rowOf(each, schedule, reader))
  return {
    title: `Automations · ${appName(app)}`,
    place: null,
    pollSeconds: 15,
    ...(state.errors.length > 0 && { places: state.errors }),
    head: headOf(app, reader, 'automations'),
    action,
    may: reader.may('setAutomation'),
    note: 'People who may change automations can switch them.',
    groups: [
      { id: 'scheduled', name: 'On target dates', rows: rowsOf(true) },
      { id: 'following', name: 'After something happens', rows: rowsOf(false) },
    ].filter(({ rows }) => rows.length > 0),
    pause: {
      action: pauseAction,
      text: pauseText(pause, reader),
      isOn: pause.paused,
      reason: fieldView(state, { id: 'reason', label: 'Why (optional)' }),
      resumeAt: fieldView(state, {
        id: 'resumeAt',
        label: 'Resume automatically at (optional)',
        type: 'datetime-local',
      }),
    },
  } satisfies PageView & Record<string, unknown>
}

/** A one-sentence description of each automation. */
const DESCRIPTIONS: Readonly<Record<AutomationEntity['type'], string>> = {
  kickoffOnTargetDate: 'Kicks off a release on its target date.',
  submitOnTargetDate: 'Submits a release for review on its target date.',
  releaseOnTargetDate: 'Releases an approved version to users on its target date.',
  bumpVersionBeforeKickoff:
    'Writes the version into the working branch before the release branch is cut from it.',
  createChatChannel: 'Creates a channel for the release, with its pilot and the users of the app.',
  addLabelsAndFixVersions:
    'Adds the missing fix version and label to tickets whose code is in the release.',
  bumpVersionAfterKickoff: 'Writes the version of the next release into the working branch.',
  selectLatestBuild:
    'Ships the newest build that the store can take, until a person chooses one or it is submitted.',
  bumpVersionAfterSubmission: 'Writes the version of the next release into the working branch.',
  tagOnRelease: 'Tags the commit of the build that was released.',
  backMergeAfterRelease: 'Merges the release branch into the working branch.',
  bumpVersionAfterRelease: 'Writes the version of the next release into the working branch.',
}

const STATUSES = {
  enabled: ['On', 'green', 'circle-check'],
  disabled: ['Off', '', 'circle-minus'],
  paused: ['Paused', 'amber', 'pause'],
  inactive: ['Cannot run here', '', 'ban'],
} as const

const RESULTS = {
  succeeded: 'Last ran',
  failed: 'Last failed',
  skipped: 'Last skipped a date',
} as const

function rowOf(
  automation: AutomationEntity,
  schedule: AutomationsAnswers['schedule'],
  reader: Reader
) {
  const { type, name, enabled, status, phase, config, lastRunAt, lastResult } = automation
  const [word, colour, icon] = STATUSES[status]
  return {
    type,
    name,
    does: DESCRIPTIONS[type],
    isOn: enabled,
    status: { word, colour, icon },
    last:
      lastRunAt === null
        ? 'Has not run yet'
        : `${RESULTS[lastResult ?? 'succeeded']} ${inSentence(lastRunAt, reader)}`,
    next: status === 'enabled' && phase ? nextText(phase, schedule, reader) : null,
    isFailed: lastResult === 'failed',
    verb: enabled ? 'Switch off' : 'Switch on',
    afterFreeze:
      config.runAfterFreeze === undefined
        ? null
        : {
            text: config.runAfterFreeze
              ? 'If a freeze holds it back, it runs when the freeze ends.'
              : 'If a freeze holds it back, it skips the date.',
            verb: config.runAfterFreeze ? 'Skip dates' : 'Run after the freeze',
            value: config.runAfterFreeze ? 'no' : 'yes',
          },
  }
}

const TARGET_OF = {
  kickoff: 'targetKickoffAt',
  submit: 'targetSubmitAt',
  release: 'targetReleaseAt',
} as const

/** Names the next target date of a phase. */
function nextText(
  phase: keyof typeof TARGET_OF,
  schedule: AutomationsAnswers['schedule'],
  reader: Reader
): string {
  const [first] = schedule
    .flatMap((entry) => {
      const at = entry[TARGET_OF[phase]]
      return at !== null && at > reader.now ? [{ at, version: entry.version }] : []
    })
    .sort((one, other) => compareTexts(one.at, other.at))
  if (!first) return 'No target date ahead'
  return `The next target date is ${inSentence(first.at, reader)}${first.version ? `, of ${first.version}` : ''}`
}

function pauseText(pause: AutomationPauseStateEntity, reader: Reader): string {
  if (!pause.paused)
    return 'Automations run. While they are paused, none of them runs, and missed dates are not caught up.'
  const since = pause.pausedAt ? ` since ${inSentence(pause.pausedAt, reader)}` : ''
  const by = pause.pausedBy ? ` by ${pause.pausedBy}` : ''
  const why = pause.reason ? `: ${pause.reason.replace(/\.?$/, '')}` : ''
  const until = pause.resumeAt ? ` They resume ${inSentence(pause.resumeAt, reader)}.` : ''
  return `Paused${since}${by}${why}.${until}`
}
