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
  /** The releases of twelve weeks, by date. */
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
        label: 'They resume by themselves (optional)',
        type: 'datetime-local',
      }),
    },
  } satisfies PageView & Record<string, unknown>
}

/** A description of each automation, in a sentence. */
const DOES: Readonly<Record<AutomationEntity['type'], string>> = {
  kickoffOnTargetDate: 'Kicks a release off when its target date has come.',
  submitOnTargetDate: 'Submits a release for review when its target date has come.',
  releaseOnTargetDate: 'Gives an approved version to users when its target date has come.',
  bumpVersionBeforeKickoff:
    'Writes the version into the working branch before the release branch is cut from it.',
  createChatChannel: 'Makes a channel for the release, with its pilot and the users of the app.',
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
  inactive: ['Cannot act here', '', 'ban'],
} as const

const RESULTS = {
  succeeded: 'Last acted',
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
    does: DOES[type],
    isOn: enabled,
    status: { word, colour, icon },
    last:
      lastRunAt === null
        ? 'Has not acted yet'
        : `${RESULTS[lastResult ?? 'succeeded']} ${inSentence(lastRunAt, reader)}`,
    next: status === 'enabled' && phase ? nextText(phase, schedule, reader) : null,
    isFailed: lastResult === 'failed',
    verb: enabled ? 'Switch off' : 'Switch on',
    afterFreeze:
      config.runAfterFreeze === undefined
        ? null
        : {
            text: config.runAfterFreeze
              ? 'Held back by a freeze, it acts when the freeze ends.'
              : 'Held back by a freeze, it skips the date.',
            verb: config.runAfterFreeze ? 'Skip dates' : 'Act after the freeze',
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
    return 'They run. While paused, none of them acts, and missed dates are not made up for.'
  const since = pause.pausedAt ? ` since ${inSentence(pause.pausedAt, reader)}` : ''
  const by = pause.pausedBy ? ` by ${pause.pausedBy}` : ''
  const why = pause.reason ? `: ${pause.reason.replace(/\.?$/, '')}` : ''
  const until = pause.resumeAt ? ` They resume ${inSentence(pause.resumeAt, reader)}.` : ''
  return `Paused${since}${by}${why}.${until}`
}
