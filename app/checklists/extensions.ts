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
  /** The runs of a release; its app spares a look where it is known. */
  of(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]>
}

export const testRunExtensions = new ExtensionPoint<TestRunExtension>()

/** The runs of tests of a release. */
export async function testRunsOf(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]> {
  const known = await Promise.all(
    testRunExtensions.all.map((extension) => extension.of(scope, release))
  )
  return known.flat()
}
