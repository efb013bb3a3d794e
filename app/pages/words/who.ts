import type { Principal } from '#foundation/core/principal'
import { initialsOf } from '../frame/places.js'

/** Somebody who can meet a condition, as `whyNotMoving` names them. */
export interface Who {
  type: string
  id?: string
  name: string
}

/** Types of systems, which act without a person. */
const SYSTEMS = new Set(['service', 'store', 'provider'])

/** Returns whether somebody who can meet a condition is the reader. */
export function isReader({ type, id, name }: Who, { actor, permissions }: Principal): boolean {
  if (type === 'user' || type === 'releasePilot') return id !== undefined && id === actor.id
  if (type === 'group') return id !== undefined && permissions.groupIds.includes(id)
  if (type === 'userAction') return permissions.admin || permissions.actions.has(name)
  return false
}

/** Returns whether one of those who can meet a condition is the reader. */
export const isYours = (who: readonly Who[], principal: Principal): boolean =>
  who.some((each) => isReader(each, principal))

/** Returns whether only systems can meet a condition: stores, CI, the service itself. */
export const isOfSystems = (who: readonly Who[]): boolean =>
  who.length > 0 && who.every(({ type }) => SYSTEMS.has(type))

/** The kind of party that a wait is for. */
export type Party = 'service' | 'store' | 'people' | 'system' | 'nobody'

/** Returns whom a wait is for. The service and stores, which act by themselves, come before people. */
export function partyOf(who: readonly { type: string }[]): Party {
  const has = (...types: string[]) => who.some(({ type }) => types.includes(type))
  if (has('service')) return 'service'
  if (has('store')) return 'store'
  if (has('user', 'group', 'releasePilot', 'userAction', 'providerRole')) return 'people'
  return has('provider') ? 'system' : 'nobody'
}

const MAX_NAMES = 2

/**
 * Returns the names of those who act: `Ada`, `QA or Release Pilots`, `June and 2 more`. User actions
 * are left out if people or groups are named.
 */
export function namesOf(who: readonly Who[]): string {
  const people = who.filter(({ type }) => type !== 'userAction' && type !== 'service')
  const named = people.length > 0 ? people : who
  const names = [...new Set(named.map(nameOf))]
  if (names.length === 0) return 'Somebody'
  if (names.length <= MAX_NAMES) return names.join(' or ')
  return `${names[0]} and ${names.length - 1} more`
}

/** The meaning of each user action, after `Someone who may`. */
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

function nameOf({ type, id, name }: Who): string {
  if (type === 'userAction') {
    return Object.hasOwn(MAY, name) ? `Someone who may ${MAY[name]}` : `Someone with ${name}`
  }
  if (type === 'releasePilot' && id === undefined) return 'The release pilot'
  if (type === 'service') return 'Tarmac'
  if (type === 'providerRole') return `The ${name}`
  // The app has no store yet.
  if (type === 'store' && name === '') return 'The store'
  return name
}

/** Returns names within a sentence: `the release pilot`, `the CI system`. */
export const within = (names: string): string =>
  names
    .replace(/\b(?:CI system|Issue tracker|Test management|Translation service)\b/g, (name) =>
      name.startsWith('CI') ? `the ${name}` : `the ${name.toLowerCase()}`
    )
    .replace(/^(?:The|Someone|Somebody)\b/, (word) => word.toLowerCase())

/** Returns the initials of the first person or group among those who act; null for systems. */
export function faceOf(who: readonly Who[]): { initials: string; isGroup: boolean } | null {
  const face =
    who.find(({ type }) => type === 'user' || type === 'releasePilot') ??
    who.find(({ type }) => type === 'group')
  if (!face) return null
  return { initials: initialsOf(face.name) || '?', isGroup: face.type === 'group' }
}
