import type { ApiKeyEntity, GroupEntity } from '#organizations/entities'

/** The parts of an app that its name needs. */
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
