import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow, CiFileRow } from './queries/ci_builds.js'

/**
 * Reacts to a change of a CI build. It runs in the transaction that changed the build or one of its
 * files, under the lock of the app, with all files the build has. It may run any number of times
 * for the same build.
 */
export type BuildSubscriber = (
  scope: Scope,
  build: CiBuildRow,
  files: readonly CiFileRow[]
) => Promise<void>

export const buildSubscribers = new ExtensionPoint<BuildSubscriber>()
