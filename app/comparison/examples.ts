import type { BuildComparison } from './entities.js'

export const exampleComparison: BuildComparison = {
  base: null,
  build: {
    name: 'build 4711',
    releaseId: null,
    buildId: 'build_8wPq2VbM2wXy7TtZr9Kd',
    bucketId: 'bucket_3kLq0VbM2wXy7TtZr9Kd',
    version: '4.2.0',
    buildNumber: '4711',
    whyUnread: 'its file is still being read',
    format: null,
    minimumOsVersion: null,
    targetOsVersion: null,
    permissions: [],
    contents: null,
  },
  changes: [],
  notCompared: [],
  explanation: 'Users have no other version yet: there is nothing to compare with.',
}
