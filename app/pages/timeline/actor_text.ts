import { AUTOMATIONS, nameOf, type Automation } from '#planning/vocabulary'
import type { Entry } from '../release/answers.js'

type Actor = Entry['actor']

/** Parts of the service that act by themselves. */
const SYSTEMS: Readonly<Record<string, string>> = {
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
export function actorText({ type, name }: Pick<Actor, 'type' | 'name'>): string {
  if (type === 'user' || type === 'apiKey') return name
  return isAutomation(name) ? nameOf(name) : (SYSTEMS[name] ?? name)
}
