// Package peers knows the other nodes on a Core as those whom this one believes: by the key that each says with its beat. There is no certificate authority.
// A node makes a key pair and a certificate of its own once, in its data folder, and Core, which decides about everything else between nodes, says whose
// key is whose. A node believes a peer that presents the key in the row of a node which is alive, and connects to no other.
package peers
