import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { enumOf } from '#foundation/core/schemas'
import { PERMISSION_LEVELS } from './vocabulary.js'

export const problems = {
  bucket_level_missing: [403, 'The level in the bucket is too low', 'The detail names it.'],
  link_gone: [410, 'The link is no longer valid', 'Ask whoever gave it to you for a new one.'],
  public_links_disabled: [
    409,
    'The bucket has no public links',
    'Name a tester, or set publicLinkEnabled of the bucket.',
  ],
  bucket_exists: [
    409,
    'The app already has such a bucket',
    'Names are unique; rc and dev exist once.',
  ],
} as const satisfies ProblemDeclarations

export const problemMembers = {
  neededLevel: Type.Optional(
    enumOf(PERMISSION_LEVELS, 'With `bucket_level_missing`: the minimum level required.')
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    distribution: typeof problems
  }
}
