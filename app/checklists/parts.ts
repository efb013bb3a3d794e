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
export interface TestRunPart {
  /** The runs of a release; its app spares a look where it is known. */
  of(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]>
}

export const testRunParts = new ExtensionPoint<TestRunPart>()

/** The runs of tests of a release. */
export async function testRunsOf(scope: Scope, release: TestedRelease): Promise<ShownTestRun[]> {
  const known = await Promise.all(testRunParts.parts.map((part) => part.of(scope, release)))
  return known.flat()
}
