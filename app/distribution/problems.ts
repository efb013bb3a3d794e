import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  bucket_level_missing: [403, 'The level in the bucket is too low', 'The detail names it.'],
  bucket_exists: [409, 'The app has such a bucket', 'Names are unique; rc and dev exist once.'],
  file_gone: [409, 'The file is not there', 'An expired build keeps its record alone.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    distribution: typeof problems
  }
}
