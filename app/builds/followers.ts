import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow, CiFileRow } from './queries/ci_builds.js'

/**
 * What follows from a CI build: told in the transaction in which the build or one of its files
 * changed, under the lock of the app, and with all files the build has by then. It may be told of
 * the same build any number of times.
 */
export type BuildFollower = (
  scope: Scope,
  build: CiBuildRow,
  files: readonly CiFileRow[]
) => Promise<void>

export const buildFollowers = new ExtensionPoint<BuildFollower>()
