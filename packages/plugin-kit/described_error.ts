import type { ProviderErrorCode } from './provider_error.js'

/** The meaning of a vendor's error. */
export interface DescribedError {
  code: ProviderErrorCode
  reason: string
  /** The person who has to act, and the action; absent if nobody can do anything. */
  action?: string
  /** The role at the vendor that has to act, such as `Account Holder`; absent for anybody else. */
  who?: string
}
