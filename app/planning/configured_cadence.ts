import type { Scope } from '#foundation/core/scope'
import { SetCadence } from './actions/set_cadence.js'
import { isSlot, type Cadence } from './calendar/cadence.js'
import { appPlan } from './plans.js'

/** A cadence as a configuration file describes it: without what is of single trains and people. */
export type CadenceConfiguration = Omit<Cadence, 'exceptions' | 'absences'>

/** What a configuration file says of a cadence. */
export function configurationOf({
  exceptions: ofTrains,
  absences: ofPeople,
  ...configured
}: Cadence): CadenceConfiguration {
  return configured
}

/** The cadence of an app as a configuration file describes it; null without one. */
export async function configuredCadence(
  scope: Scope,
  appId: string
): Promise<CadenceConfiguration | null> {
  const { cadence } = await appPlan(scope, appId)
  return cadence && configurationOf(cadence)
}

/** Makes the cadence of an app that of its configuration; null takes it away. */
export async function storeConfiguredCadence(
  scope: Scope,
  appId: string,
  configured: CadenceConfiguration | null
): Promise<void> {
  const { cadence: before } = await appPlan(scope, appId)
  const cadence: Cadence | null = configured && {
    ...configured,
    exceptions: before?.exceptions ?? [],
    absences: before?.absences ?? [],
  }
  if (cadence) {
    cadence.exceptions = cadence.exceptions.filter(({ date }) => isSlot(cadence, date))
  }
  await new SetCadence(scope).store(appId, cadence)
}
