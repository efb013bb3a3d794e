import type { ConditionCode } from '#releases/engine/conditions'
import { plainName } from '../client_names.js'

/*
 * Describes what holds up a release, in the service's own words only, as an agent may act on what
 * it reads. Titles and messages that others wrote are shown separately, as data. Steps, groups and
 * people appear by name.
 */

/** The missing thing for each unmet condition. */
const MISSING: Readonly<Record<ConditionCode, string>> = {
  not_kicked_off: 'the kickoff',
  kickoff_failed: 'a kickoff that works, as the last one failed',
  cherry_pick_open: 'a commit is being picked onto the branch',
  cherry_pick_failed: 'a commit that should have been picked is not in the release',
  connection_failing: 'a connection to a provider that works',
  no_feature_items: 'work items to judge by',
  features_not_ready: 'work items that are ready',
  features_missing: 'the code of work items',
  no_translation_source: 'a source of translations',
  locale_incomplete: 'texts in a language',
  no_build: 'a build',
  build_running: 'the result of a build that is running',
  build_failed: 'a build that works, as the last one failed',
  build_without_result: 'the result of a build',
  item_not_done: 'the result of',
  item_blocked: 'a good result of',
  no_items: 'items to complete',
  regression_status_set_by_hand: 'a good result of regression testing, which is set by hand',
  tests_failed: 'tests that pass',
  tests_open: 'results of tests',
  approval_withdrawn: 'an approval, as the last one was withdrawn',
  no_beta_build: 'a build in beta testing',
  beta_in_review: 'the verdict of the store on the beta',
  beta_rejected: 'a beta that the store accepts',
  not_approved: 'the approval of the step',
  no_build_selected: 'a build that is selected for the store',
  not_submitted: 'the submission to the store',
  submission_running: 'the result of a submission that is running',
  submission_failed: 'a submission that works, as the last one failed',
  store_question: 'an answer to what the store asks',
  invalid_binary: 'a build that the store accepts',
  waiting_for_review: 'the review of the store',
  in_review: 'the verdict of the store',
  review_rejected: 'a submission that the store accepts, as it rejected the last one',
  not_released: 'the release to users',
  release_pending: 'the decision to release it to users',
  release_running: 'the result of a release to users that is running',
  rollout_not_started: 'the start of the rollout',
  rolling_out: 'the rest of the rollout',
  rollout_paused: 'the decision to resume the rollout, which is paused',
  rollout_halted: 'the decision on the rollout, which was stopped',
  required_step_incomplete: 'a required step',
  automation_held: 'the decision on what holds the automation, such as a freeze or a pause',
  release_skipped: 'the decision to put the release back on the train',
  train_held: 'the decision on the release that is ahead on the train',
  pair_waits: 'the release that it goes out with',
}

/** Replacements for user actions whose names sound like an instruction. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  CreateDeleteRelease: 'whoever makes releases',
  AddRemoveEditIntegration: 'whoever manages integrations',
}

interface Who {
  type: string
  id?: string
  name: string
}

interface Unmet {
  code: ConditionCode
  subject?: { type: string; id: string }
  who: Who[]
  approvalsMissing?: number
}

/** The part of the answer of `whyNotMoving` that is used here. */
export interface WhyNotMoving {
  steps: { stepId: string; name: string; required: boolean; unmet: Unmet[] }[]
  release: Unmet[]
}

/** Something that is missing, with who can provide it. */
interface Lack {
  unmet: Unmet
  /** The step that waits for it. Absent for the release as a whole. */
  step?: string
}

/** Maximum numbers of entries listed. A release that has just begun has more. */
const MAX_LISTED = 5
const MAX_STEPS = 2
const MAX_PEOPLE = 3

/** Characters that are removed from ids: ids of tickets and languages come from others. */
const NO_ID = /[^\w.:-]/g
const MAX_OF_ID = 80

/** Lists what the release and its steps wait for, the release as a whole first. */
export function lacksIn(
  { steps, release }: WhyNotMoving,
  isMeant: (unmet: Unmet, stepId?: string) => boolean = () => true
): Lack[] {
  const ofSteps = steps.flatMap(({ stepId, name, unmet }) =>
    unmet.filter((each) => isMeant(each, stepId)).map((each) => ({ unmet: each, step: name }))
  )
  // An incomplete step is described by what it waits for itself.
  const ofRelease = release.filter(
    (each) => each.code !== 'required_step_incomplete' && isMeant(each)
  )
  const reported = new Set(ofSteps.map(({ unmet }) => keyOf(unmet)))
  return [
    ...ofRelease.filter((each) => !reported.has(keyOf(each))).map((unmet) => ({ unmet })),
    ...ofSteps,
  ]
}

const keyOf = ({ code, subject }: Unmet) => `${code} ${subject?.id}`

/**
 * Describes what is missing and who can provide it, in one sentence. What several steps wait for
 * appears once.
 */
export function lacksInWords(lacks: readonly Lack[]): string {
  const waiting = new Map<string, { unmet: Unmet; steps: string[] }>()
  for (const { unmet, step } of lacks) {
    const key = keyOf(unmet)
    const found = waiting.get(key) ?? { unmet, steps: [] }
    waiting.set(key, found)
    if (step !== undefined) found.steps.push(`"${plainName(step)}"`)
  }
  const all = [...waiting.values()].map(inWords)
  const more = all.length - MAX_LISTED
  const rest = more > 0 ? `; and ${more} more, which why_not_moving lists` : ''
  return `Missing: ${all.slice(0, MAX_LISTED).join('; ')}${rest}.`
}

function inWords({ unmet, steps }: { unmet: Unmet; steps: readonly string[] }): string {
  const more = steps.length > MAX_STEPS ? ` and ${steps.length - MAX_STEPS} more` : ''
  const named = steps.slice(0, MAX_STEPS).join(', ')
  const of =
    steps.length === 0 ? '' : `, for ${steps.length > 1 ? 'the steps' : 'the step'} ${named}`
  return `${whatIn(unmet)}${of}${more}, from ${peopleIn(unmet.who)}`
}

function whatIn({ code, subject, approvalsMissing: missing }: Unmet): string {
  const id = subject?.id.replace(NO_ID, '').slice(0, MAX_OF_ID)
  if (code !== 'item_not_done' && code !== 'item_blocked')
    return subject ? `${MISSING[code]} (${subject.type} ${id})` : MISSING[code]
  const item = subject ? `the ${subject.type} item ${id}` : 'an item'
  if (missing) return `${missing} more ${missing === 1 ? 'approval' : 'approvals'} of ${item}`
  return `${MISSING[code]} ${item}`
}

function peopleIn(who: readonly Who[]): string {
  if (who.length === 0) return 'the release pilot'
  const named = who.slice(0, MAX_PEOPLE).map(personIn)
  return [...named, ...(who.length > MAX_PEOPLE ? ['others'] : [])].join(' or ')
}

function personIn({ type, id, name }: Who): string {
  const plain = plainName(name)
  switch (type) {
    case 'userAction':
      return NAMED_OTHERWISE[name] ?? `whoever holds ${plain}`
    case 'group':
      return `the group ${plain}`
    case 'releasePilot':
      return id === undefined ? 'the release pilot' : `the release pilot ${plain}`
    case 'service':
      return 'Tarmac itself'
    case 'provider':
    case 'providerRole':
      return `the ${plain}`
  }
  return plain
}
