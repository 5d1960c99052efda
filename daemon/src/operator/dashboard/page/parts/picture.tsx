/** Pictures of applications. The daemon serves them; without one, the first letter of the name stands there. */
import { useEffect, useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'

/** Copies by id; each is loaded once, and pages are few and short-lived. */
const copies = new Map<string, Promise<string | undefined>>()

function useCopy(id: string | undefined): string | undefined {
  const { api } = useDashboard()
  const [copy, setCopy] = useState<{ readonly id: string; readonly url: string | undefined }>()
  useEffect(() => {
    if (id === undefined) return undefined
    let isWanted = true
    const loading = copies.get(id) ?? api.image(id)
    copies.set(id, loading)
    void loading.then((url) => {
      if (url === undefined) copies.delete(id)
      if (isWanted) setCopy({ id, url })
    })
    return () => {
      isWanted = false
    }
  }, [id])
  return copy?.id === id ? copy?.url : undefined
}

interface PictureProps {
  readonly image: string | undefined
  /** Of what it is the picture. */
  readonly name: string
  /** What the picture says; empty if the text beside it says it. */
  readonly text?: string
  readonly size: 'small' | 'medium' | 'large'
}

export function Picture({ image, name, text = '', size }: PictureProps) {
  const url = useCopy(image)
  if (url !== undefined) return <img class={`picture ${size}`} src={url} alt={text} title={text} />
  return (
    <span class={`picture ${size}`} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase() ?? '?'}
    </span>
  )
}
