import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { hueOf } from '../words/hues.js'
import { platformName, RELEASE_TYPES } from '../words/names.js'
import { PHASES, wordsOf } from '../words/statuses.js'
import { timeOf } from '../words/times.js'
import { TABS, type AppAnswers } from './answers.js'

type Call = Pick<PageCall, 'reader' | 'refused'>

const titleOf = ({ name, platform }: AppAnswers['app']) => `${name} ${platformName(platform)}`

/** The view of an app: its releases by status, and planning the next one. */
export function appView({ app, releases, nextCursor, chosen }: AppAnswers, { reader }: Call) {
  const base = addressOf(addresses.app, { appId: app.id })
  return {
    title: titleOf(app),
    place: null,
    everySeconds: 15,
    heading: titleOf(app),
    letter: [...app.name][0].toUpperCase(),
    hue: hueOf(app.appGroup ?? app.name),
    home: addressOf(addresses.home, { orgId: reader.principal.organization.id }),
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
        phase: wordsOf(PHASES, release.phase),
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

/** The view of the form that plans a release. */
export function newReleaseView(app: AppAnswers['app'], { refused }: Call) {
  const typed = (name: string) => {
    const value = refused?.fields[name]
    return typeof value === 'string' ? value : ''
  }
  const errors = refused?.problem.extras.errors ?? []
  const faultOf = (name: string) =>
    errors.find(({ pointer }) => pointer === `/${name}`)?.message ?? null
  const field = (name: string) => ({ name, value: typed(name), fault: faultOf(name) })
  return {
    title: `Plan a release · ${titleOf(app)}`,
    place: null,
    everySeconds: null,
    isSecret: true,
    heading: `Plan a release of ${titleOf(app)}`,
    action: addressOf(addresses.newRelease, { appId: app.id }),
    back: addressOf(addresses.app, { appId: app.id }),
    version: field('version'),
    name: field('releaseName'),
    type: typed('releaseType') || 'release',
    baseTag: field('baseTag'),
    dates: [
      { ...field('targetKickoffAt'), label: 'Kickoff' },
      { ...field('targetSubmitAt'), label: 'Submit' },
      { ...field('targetReleaseAt'), label: 'Release' },
    ],
  } satisfies PageView & Record<string, unknown>
}
