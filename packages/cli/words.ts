/** Phases of a release and statuses of steps, in words. */
const WORDS: Readonly<Record<string, string>> = {
  kickedOff: 'kicked off',
  readyToSubmit: 'ready to submit',
  inReview: 'in review',
  readyToRelease: 'ready to release',
  rollingOut: 'rolling out',
  notStarted: 'not started',
  inProgress: 'in progress',
}

/** Returns a phase of a release, a point it passes or a status of a step in words. */
export const wordOf = (code: string): string => WORDS[code] ?? code

/** Returns the state of a release in words: `active, kicked off`. */
export const stateOf = ({ status, phase }: { status: string; phase: string }): string =>
  status === phase ? status : `${status}, ${wordOf(phase)}`

/** The verb phrase of each user action, after `someone who may`. */
const MAY: Readonly<Record<string, string>> = {
  AddRemoveEditIntegration: 'renew credentials',
  ApproveFixes: 'approve fixes',
  ApproveScreenshotsMetadata: 'approve store texts',
  CreateBranchPromoteCode: 'kick off and bring in code',
  CreateDeleteRelease: 'create and complete releases',
  EditAutomations: 'change automations',
  EditChecklists: 'change checklists',
  PromoteBetaBuildToTestingTrack: 'give builds to testers',
  RejectSubmission: 'withdraw from review',
  SelectBuild: 'choose builds',
  SubmitForReview: 'submit and release',
  TriggerCIWorkflow: 'start builds',
  UpdateAppSettings: 'change settings of the app',
  UpdateApprovalItemStatus: 'approve',
  UpdateChecklistItemStatus: 'tick items',
  UpdateFeatureReadiness: 'decide on features',
  UpdateRegressionTesting: 'test',
}

/** Returns somebody who can meet a condition: `QA`, `someone who may start builds`. */
export function nameOf({ type, name }: { type: string; name: string }): string {
  if (type === 'userAction')
    return MAY[name] ? `someone who may ${MAY[name]}` : `someone with ${name}`
  if (type === 'releasePilot' && name === type) return 'the release pilot'
  if (type === 'service') return 'Tarmac'
  if (type === 'store' && name === '') return 'the store'
  return name
}

/** Advice to override a refusal by a member of the API that no command has. */
const FORCED = /,? or [^.,]*with force=true(?=\.|$)/i

/** Returns a message of the API whose advice names options of the command line. */
export function inOptions(message: string, code?: string): string {
  const forced =
    code === 'steps_incomplete' || code === 'cherry_picks_open'
      ? message.replaceAll('force=true', '--incomplete')
      : message.replace(FORCED, '')
  return forced
    .replaceAll('submitWithIncompleteSteps=true', '--incomplete')
    .replaceAll('`pair: true`', '--pair')
}

/** The beginning of a validator's message, with the path of the member. */
const MEMBER = /^The (\S+) field (?=must |has |format )/

/** Returns the name of a member of the API in words: `CI build info`, `entry 2`. */
function memberOf(part: string): string {
  if (/^\d+$/.test(part)) return `entry ${Number(part) + 1}`
  const spelled = part.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return spelled.replace(/^ci\b/, 'CI')
}

/**
 * Returns a message about a broken field with the field in words: `Tags, entry 1: it must have at
 * least 1 character`.
 */
export function faultOf(message: string): string {
  const [begin, path = ''] = MEMBER.exec(message) ?? []
  if (begin === undefined) return message
  // The metadata of an upload is a member of its own.
  const words = path
    .replace(/^data\./, '')
    .split('.')
    .map(memberOf)
    .join(', ')
  const said = message.slice(begin.length)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: it ${said.replace(/^format /, 'has a format that ')}`
}
