import { AUTOMATIONS, nameOf, type Automation } from '#planning/vocabulary'
import type { Entry } from '../release/answers.js'

/** Parts of the service and others that act by themselves. */
const SYSTEMS: Readonly<Record<string, string>> = {
  'app store': 'App Store',
  'google play': 'Google Play',
  'scheduleCadence': 'Schedule cadence',
  'service': 'Tarmac',
  'clock': 'Tarmac',
  'console': 'Console',
  'calendar': 'Calendar',
  'integrations': 'Providers',
  'providers': 'Providers',
  'outside of Tarmac': 'Outside of Tarmac',
}

const isAutomation = (name: string): name is Automation =>
  (AUTOMATIONS as readonly string[]).includes(name)

/** Returns the name of who did something, for people. */
export function actorText({ type, name }: Pick<Entry['actor'], 'type' | 'name'>): string {
  if (type === 'user' || type === 'apiKey') return name
  return isAutomation(name) ? nameOf(name) : (SYSTEMS[name] ?? name)
}

/** Returns a type in words: `ciBuild.statusChanged` is `CI build status changed`. */
export const typeText = (type: string): string =>
  inWords(type.replaceAll('.', ' '))
    .replace(/^ci\b/, 'CI')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())

/** Statuses in titles: the last ones, and those of a rollout. */
const STATUSES = /(?<=: )\w+ → \w+$|(?<=: )[A-Z]+(?:_[A-Z]+)+$|(?<= is )[A-Z]+(?= at )/

/** Returns a title with statuses in words: `inProgress → complete` is `in progress → complete`. */
export const titleText = (title: string): string => title.replace(STATUSES, inWords)

const inWords = (text: string): string =>
  text.replace(/[A-Z]+(?:_[A-Z]+)*/g, (capitals) =>
    capitals.length > 1 ? capitals.toLowerCase().replaceAll('_', ' ') : ` ${capitals.toLowerCase()}`
  )
