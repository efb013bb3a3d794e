import type { BuildComparison } from './entities.js'

const side = {
  releaseId: null,
  bucketId: 'bucket_3kLq0VbM2wXy7TtZr9Kd',
  isRead: true,
  whyUnread: null,
  format: 'ipa',
  minimumOsVersion: '16.0',
  targetOsVersion: '26.0',
  abis: ['arm64'],
} as const
const contents = {
  components: [],
  exported: [],
  omitted: 0,
  sizes: { code: 9_100_000, libraries: 0, extensions: 0, resources: 0, assets: 0, other: 0 },
  abiSizes: [],
}

export const exampleComparison: BuildComparison = {
  base: {
    ...side,
    name: 'build 4690',
    buildId: 'build_1aBc2VbM2wXy7TtZr9Kd',
    version: '4.1.0',
    buildNumber: '4690',
    abis: [...side.abis],
    permissions: [],
    contents,
  },
  build: {
    ...side,
    name: 'build 4711',
    buildId: 'build_8wPq2VbM2wXy7TtZr9Kd',
    version: '4.2.0',
    buildNumber: '4711',
    abis: [...side.abis],
    permissions: ['NSCameraUsageDescription'],
    contents,
  },
  changes: [
    {
      kind: 'permissionAdded',
      subject: 'NSCameraUsageDescription',
      from: null,
      to: null,
      message: 'Asks for NSCameraUsageDescription',
    },
  ],
  changeCount: 1,
  notCompared: [],
  explanation: null,
}
