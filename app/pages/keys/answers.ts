import type { ApiKeyEntity, GroupEntity } from '#organizations/entities'

/** An app as far as keys name it. */
export interface NamedApp {
  id: string
  name: string
  platform: string
}

export interface KeysAnswers {
  keys: readonly ApiKeyEntity[]
  apps: readonly NamedApp[]
}

export interface NewKeyAnswers {
  groups: readonly GroupEntity[]
  apps: readonly NamedApp[]
}

/** A key that was just made or rotated: the only time that it is known. */
export interface MadeKey extends ApiKeyEntity {
  key: string
  previousExpiresAt?: string
}
