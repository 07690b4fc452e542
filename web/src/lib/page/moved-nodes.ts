/**
 * Lets React continue on a page that a page translator of the browser has changed. The translator puts
 * texts into elements of its own. Where React then removes such a text, or inserts before it, the
 * browser throws, and the whole page would be replaced by an error. Texts have their own elements
 * (`tools/check/loose-texts.mjs`); this is for those that the check cannot see: a node that is
 * elsewhere is not removed, and what belongs before it goes to the end.
 */
export function tolerateMovedNodes(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    return child.parentNode === this ? (removeChild.call(this, child) as Child) : child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    return insertBefore.call(this, child, next?.parentNode === this ? next : null) as Child;
  };
}
