/** Premium buttons: each sells an active SKU of its application. */
import { BUTTON_STYLES, buttonsIn } from '@sallyport/protocol'
import type { Platform } from '../platform.ts'
import { AVAILABLE, skusOf } from '../seed/shop.ts'
import { invalidBody } from './form-errors.ts'

/** Throws invalidForm for a button with another SKU. */
export function checkPremiumButtons({ seed }: Platform, applicationId: string, components: readonly object[]): void {
  const premium = buttonsIn(components).filter(({ button }) => button['style'] === BUTTON_STYLES.premium)
  if (premium.length === 0) return
  const offered = new Set(skusOf(seed, applicationId).flatMap(({ id, flags }) => ((flags & AVAILABLE) === 0 ? [] : [id])))
  const problems = premium
    .filter(({ button }) => !offered.has(String(button['sku_id'])))
    .map(({ path }) => ({ path: [...path, 'sku_id'], message: 'must be an active SKU of the application' }))
  if (problems.length > 0) throw invalidBody(problems)
}
