import { addresses, addressOf } from '../addresses.js'
import type { Reader } from '../frame/page.js'
import { hueOf } from '../words/hues.js'
import { appName } from '../words/names.js'

/** The parts of an app that the head of its pages needs. */
export interface NamedApp {
  id: string
  name: string
  platform: string
  appGroup: string | null
}

/** The pages of an app, in their order. */
const SECTIONS = [
  ['releases', 'Releases', addresses.app],
  ['buckets', 'Buckets', addresses.buckets],
  ['schedule', 'Schedule', addresses.schedule],
  ['where', 'Where is my change', addresses.where],
  ['automations', 'Automations', addresses.appAutomations],
  ['policy', 'Rollout policy', addresses.policy],
  ['configuration', 'Configuration', addresses.configuration],
  ['rehearse', 'Rehearse', addresses.rehearsals],
] as const

export type Section = (typeof SECTIONS)[number][0]

/** Returns the head of a page of an app: its name, and links to its other pages. */
export const headOf = (app: NamedApp, reader: Reader, here: Section) => ({
  heading: appName(app),
  letter: [...app.name][0].toUpperCase(),
  hue: hueOf(app.appGroup ?? app.name),
  home: addressOf(addresses.home, { orgId: reader.principal.organization.id }),
  sections: SECTIONS.map(([section, name, path]) => ({
    name,
    href: addressOf(path, { appId: app.id }),
    isHere: section === here,
  })),
})
