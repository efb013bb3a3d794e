import { addresses, addressOf } from '../addresses.js'
import { fieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appName, RELEASE_TYPES } from '../words/names.js'
import { PHASES, statusLabel } from '../words/statuses.js'
import { timeOf } from '../words/times.js'
import { TABS, type AppAnswers } from './answers.js'
import { headOf } from './head.js'

type Call = Pick<PageCall, 'reader' | 'refused'>

/** Kinds of releases that can be planned. The first is the default. */
const RELEASE_KINDS = [
  ['release', 'Release'],
  ['hotfix', 'Hotfix'],
] as const

/** Returns the view of an app: its releases by status, and the link to plan the next one. */
export function appView({ app, releases, nextCursor, chosen }: AppAnswers, { reader }: Call) {
  const base = addressOf(addresses.app, { appId: app.id })
  return {
    title: appName(app),
    place: null,
    pollSeconds: 15,
    head: headOf(app, reader, 'releases'),
    plan: reader.may('createRelease') ? addressOf(addresses.newRelease, { appId: app.id }) : null,
    tabs: TABS.map(([status, name]) => ({
      name,
      href: status === 'active' ? base : `${base}?show=${status}`,
      isChosen: status === chosen,
    })),
    rows: releases.map((release) => {
      const at = release.completedAt ?? release.targetReleaseAt ?? release.targetKickoffAt
      return {
        href: addressOf(addresses.release, { appId: app.id, releaseId: release.id }),
        version: release.version,
        name: release.releaseName ?? '',
        kind: RELEASE_TYPES[release.releaseType] ?? release.releaseType,
        phase: statusLabel(PHASES, release.phase),
        pilot: release.releasePilot?.name ?? release.releasePilot?.email ?? '',
        time: at ? timeOf(at, reader) : null,
      }
    }),
    empty: chosen === 'active' ? 'No release is active.' : `No release is ${chosen}.`,
    more: nextCursor
      ? `${base}?${new URLSearchParams({ show: chosen, cursor: nextCursor })}`
      : null,
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the form that plans a release. */
export function newReleaseView(app: AppAnswers['app'], { refused }: Call) {
  const action = addressOf(addresses.newRelease, { appId: app.id })
  const state = new FormState(refused, action)
  const kind = state.text('releaseType') || RELEASE_KINDS[0][0]
  const date = (id: string, label: string) =>
    fieldView(state, { id, label: `${label} (optional)`, type: 'datetime-local' })
  return {
    title: `Plan a release · ${appName(app)}`,
    place: null,
    pollSeconds: null,
    isSecret: true,
    heading: `Plan a release of ${appName(app)}`,
    action,
    back: addressOf(addresses.app, { appId: app.id }),
    version: fieldView(state, {
      id: 'version',
      label: 'Version',
      hint: 'One to three numbers, such as 4.3.0.',
    }),
    name: fieldView(state, { id: 'releaseName', label: 'Name (optional)' }),
    types: RELEASE_KINDS.map(([value, label]) => ({
      value,
      label,
      isChosen: value === kind,
    })),
    rest: [
      fieldView(state, {
        id: 'baseTag',
        label: 'Tag that a hotfix starts from (optional)',
        hint: 'The tag of the live release, unless another is named.',
      }),
      date('targetKickoffAt', 'Kickoff'),
      date('targetSubmitAt', 'Submit'),
      date('targetReleaseAt', 'Release'),
    ],
  } satisfies PageView & Record<string, unknown>
}
