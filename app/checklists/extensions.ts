import type { Static } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingTestRunEntity } from './entities.js'

type ShownTestRun = Static<typeof RegressionTestingTestRunEntity>

/** A release by its internal id. */
interface TestedRelease {
  id: string
  appId?: string
}

/** Provides test runs of other systems. */
export interface TestRunExtension {
  /** Returns the runs of a release. Passing the known app id saves a query. */
  of(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]>
}

export const testRunExtensions = new ExtensionPoint<TestRunExtension>()

/** Returns the test runs of a release from all extensions. */
export async function testRunsOf(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]> {
  const known = await Promise.all(
    testRunExtensions.all.map((extension) => extension.of(scope, release))
  )
  return known.flat()
}
