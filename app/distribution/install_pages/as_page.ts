import type { OperationResponse } from '#foundation/api/operation/response'
import { Problem } from '#foundation/core/problems/problem'
import { messagePage } from './views/notice_page.js'

const NOTICES: Partial<Record<string, [status: number, title: string, text: string]>> = {
  not_found: [404, 'There is nothing here', 'Check the address: part of it may be missing.'],
  link_gone: [410, 'This link is no longer valid', 'Ask whoever gave it to you for a new one.'],
}

/** Shows expected errors as a page, too, as people read them. */
export async function asPage(show: () => Promise<OperationResponse>): Promise<OperationResponse> {
  try {
    return await show()
  } catch (error) {
    const notice = error instanceof Problem ? NOTICES[error.code] : undefined
    if (!notice) throw error
    return messagePage(...notice)
  }
}
