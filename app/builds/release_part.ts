import { here, nullable } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { AppStoreBuildEntity } from './entities.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    selectedBuild: null
  }
}

/** Of its build a release shows that none is chosen: none can be until builds are recorded. */
export const releasePart: ReleasePart = {
  name: 'builds',
  entity: {
    schema: {
      selectedBuild: nullable(
        here('The build that ships; null until one is chosen.', AppStoreBuildEntity)
      ),
    },
    of: async () => new Map(),
    none: { selectedBuild: null },
  },
}
